import type { RunEvent } from '../domain/run.ts';

/** Milliseconds between two messages to the page: one animation frame. */
const FRAME_MS = 16;

/** Gathers events, so that the page gets at most one message per animation frame. Order is kept. */
export class EventBatch {
  #events: RunEvent[] = [];
  #sentAt = -Infinity;
  readonly #send: (events: readonly RunEvent[]) => void;

  constructor(send: (events: readonly RunEvent[]) => void) {
    this.#send = send;
  }

  add(event: RunEvent): void {
    const last = this.#events.at(-1);
    // Two pieces of text of one lane are one piece.
    if (event.type === 'text' && last?.type === 'text' && last.lane === event.lane) {
      this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
    } else this.#events.push(event);
  }

  /** Sends what has gathered if a frame has passed; call it between decoding steps. */
  flushIfDue(): void {
    if (performance.now() - this.#sentAt >= FRAME_MS) this.flush();
  }

  flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#sentAt = performance.now();
    this.#send(events);
  }
}
