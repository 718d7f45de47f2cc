// A live connection for tests, over a real WebSocket.
import { type Envelope, LiveServerMessage } from '@parley/protocol';
import { WebSocket } from 'ws';
import { Changes } from './changes.ts';

type Of<Type extends LiveServerMessage['type']> = Extract<LiveServerMessage, { type: Type }>;

export class LiveClient {
  readonly messages: LiveServerMessage[] = [];
  readonly #socket: WebSocket;
  #end: { readonly code: number; readonly reason: string } | undefined;
  readonly #changes = new Changes();
  /** Sessions in which a turn has ended. Searching all messages after each one would take too long. */
  readonly #ended = new Set<string>();

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#socket = new WebSocket(url.replace('http', 'ws'), { headers, perMessageDeflate: false });
    this.#socket.on('message', (data) => {
      // Every message has the promised shape.
      const message = LiveServerMessage.parse(JSON.parse((data as Buffer).toString()));
      this.messages.push(message);
      if (message.type === 'event' && message.envelope.event.type === 'turn.ended')
        this.#ended.add(message.envelope.sessionId);
      this.#changes.happened();
    });
    this.#socket.on('close', (code, reason) => {
      this.#end = { code, reason: String(reason) };
      this.#changes.happened();
    });
    this.#socket.on('error', () => this.#changes.happened());
    this.#socket.on('open', () => this.#changes.happened());
  }

  async opened(): Promise<void> {
    await this.until(() => this.#socket.readyState === this.#socket.OPEN);
  }

  send(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Stops reading; the network buffers fill up. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  drop(): void {
    this.#socket.terminate();
  }

  of<Type extends LiveServerMessage['type']>(type: Type): Of<Type>[] {
    return this.messages.filter((message): message is Of<Type> => message.type === type);
  }

  eventsOf(id: string): Envelope[] {
    return this.of('event').flatMap(({ envelope }) => (envelope.sessionId === id ? [envelope] : []));
  }

  subscribed(id: string): Promise<Of<'subscribed'>> {
    return this.#first(() => this.of('subscribed').find(({ session }) => session === id));
  }

  ended(id: string): Promise<Of<'ended'>> {
    return this.#first(() => this.of('ended').find(({ session }) => session === id));
  }

  async turnEnded(id: string): Promise<void> {
    await this.until(() => this.#ended.has(id));
  }

  async presence(id: string, wanted: { readonly pages: number; readonly visible: number }): Promise<void> {
    await this.until(() => {
      const last = this.of('presence').findLast(({ session }) => session === id);
      return last?.pages === wanted.pages && last.visible === wanted.visible;
    });
  }

  async closed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (!this.#end) await this.#changes.next();
    return this.#end;
  }

  async until(condition: () => boolean): Promise<void> {
    await this.#first(() => condition() || undefined);
  }

  async #first<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#end) throw new Error(`closed: ${this.#end.code} ${this.#end.reason}`);
      await this.#changes.next();
    }
  }
}
