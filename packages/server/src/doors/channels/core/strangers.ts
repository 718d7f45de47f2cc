// Senders who are not on the allow list. They are told nothing; the log names each once for a bot, which is how one
// finds one's id.
import type { ChatAddress, Sender } from './channel.ts';
import type { ChannelLog } from './channel-log.ts';

const mostNamed = 1_000;

export class Strangers {
  readonly #log: ChannelLog;
  readonly #named = new Set<string>();

  constructor(log: ChannelLog) {
    this.#log = log;
  }

  refuse(chat: ChatAddress, { id }: Sender): void {
    const stranger = `${chat.channel}:${id}`;
    if (this.#named.has(stranger) || this.#named.size >= mostNamed) return;
    this.#named.add(stranger);
    const fields = { senderId: id, refused: true };
    this.#log.write('inbound', chat, fields, 'a sender who is not on the allow list was refused');
  }
}
