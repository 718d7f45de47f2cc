// A page for tests, over a real WebSocket. It remembers the last number that it saw.
import { WebSocket } from 'ws';
import { Changes } from './changes.ts';

export interface Message {
  readonly type?: string;
  readonly uuid?: string;
  readonly data?: Record<string, unknown>;
  readonly error?: string;
}

export class PageClient {
  /** Every message after the greeting, unparsed. */
  readonly texts: string[] = [];
  readonly messages: Message[] = [];
  readonly socket: WebSocket;
  greeting: Record<string, unknown> = {};
  closed: { readonly code: number; readonly reason: string } | undefined;
  #after = 0;
  #ends = 0;
  readonly #changes = new Changes();

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.socket = new WebSocket(url.replace('http', 'ws'), { headers, perMessageDeflate: false });
    this.socket.on('message', (data, isBinary) => this.#take(isBinary ? '' : (data as Buffer).toString()));
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#changes.happened();
    });
    this.socket.on('error', () => this.#changes.happened());
  }

  /** What to pass back as `after`. */
  get after(): number {
    return this.#after;
  }

  /** The messages after the greeting that are not Parley's own. */
  get frames(): string[] {
    return this.texts.filter((_, index) => !own.has(this.messages[index]?.type ?? ''));
  }

  ofType(type: string): Message[] {
    return this.messages.filter((message) => message.type === type);
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  prompt(content: string): void {
    this.send({ type: 'text', content });
  }

  /** Resolves when the condition holds; rejects if the socket closes first. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.closed) throw new Error(`closed: ${this.closed.code} ${this.closed.reason}`);
      await this.#changes.next();
    }
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (!this.closed) await this.#changes.next();
    return this.closed;
  }

  async greeted(): Promise<this> {
    await this.until(() => Object.keys(this.greeting).length > 0);
    return this;
  }

  /** Waits until this many turns have ended, according to the queue. */
  async turnsEnded(count = 1): Promise<void> {
    await this.until(() => this.#ends >= count);
  }

  drop(): void {
    this.socket.terminate();
  }

  #take(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.type === 'connected') {
      this.greeting = message.data ?? {};
      this.#after = Number(this.greeting['after']);
      this.#changes.happened();
      return;
    }
    this.texts.push(text);
    this.messages.push(message);
    if (message.type === 'result' || message.type === 'error') this.#ends += 1;
    if (own.has(message.type ?? '')) this.#after = Number(message.data?.['seq'] ?? this.#after);
    this.#changes.happened();
  }
}

const own = new Set([
  'control_request',
  'control_settled',
  'todo_update',
  'queue_update',
  'settings_update',
  'error',
]);
