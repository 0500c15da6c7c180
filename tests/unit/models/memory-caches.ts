/** Stands in for the browser's storage, which Node has not: entries live as long as the test. */
export class MemoryCaches {
  readonly entries = new Map<string, Response>();
  /** Whether nothing more can be stored. */
  full = false;

  open(): Promise<MemoryCaches> {
    return Promise.resolve(this);
  }

  match(key: string): Promise<Response | undefined> {
    return Promise.resolve(this.entries.get(key)?.clone());
  }

  put(key: string, response: Response): Promise<void> {
    if (this.full) return Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));
    this.entries.set(key, response);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.entries.delete(key));
  }

  keys(): Promise<{ url: string }[]> {
    return Promise.resolve([...this.entries.keys()].map((url) => ({ url })));
  }
}
