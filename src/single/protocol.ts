/** The first message to the worker of the single file: the files that it will ask for. */
export interface FilesMessage {
  readonly kind: 'inlined-files';
  readonly baseUrl: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

export function isFilesMessage(data: unknown): data is FilesMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'inlined-files';
}
