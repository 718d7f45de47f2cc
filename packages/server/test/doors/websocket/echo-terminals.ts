// Implements the terminal port with a terminal that shows what is typed into it.
import { ParleyError, say } from '@parley/protocol';
import type { Terminals, TerminalViewer } from '../../../src/domain/terminal.ts';

export class EchoTerminals implements Terminals {
  readonly viewers = new Set<TerminalViewer>();
  readonly sizes: string[] = [];
  readonly typed: Buffer[] = [];
  #backlog = Buffer.from('Welcome.\n');

  allows: Terminals['allows'] = (person) => person === 'sebastian';

  attach: Terminals['attach'] = async (person, _id, viewer) => {
    if (!this.allows(person)) throw new ParleyError('forbidden', 'You may not use the terminal.');
    this.viewers.add(viewer);
    const backlog = this.#backlog;
    // Shows something before the door has received the backlog.
    queueMicrotask(() => viewer.data(Buffer.from('early\n')));
    return {
      backlog,
      write: (data) => {
        this.typed.push(Buffer.from(data));
        this.show(data);
      },
      resize: (cols, rows) => void this.sizes.push(`${cols}×${rows}`),
      detach: () => void this.viewers.delete(viewer),
    };
  };

  end: Terminals['end'] = async () => {
    for (const viewer of this.viewers) viewer.ended(say`The program ended.`);
    return this.viewers.size > 0;
  };

  show(data: Uint8Array): boolean[] {
    this.#backlog = Buffer.concat([this.#backlog, data]).subarray(-1_000);
    return [...this.viewers].map((viewer) => viewer.data(data));
  }
}
