// Reads server-sent events like a browser, as they arrive.
import { linesOf } from './door-harness.ts';

export interface ReadEvent {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function* eventsOf(response: Response): AsyncGenerator<ReadEvent, void, undefined> {
  let fields: Record<string, string> = {};
  for await (const line of linesOf(response)) {
    if (line.startsWith(':')) continue;
    if (line !== '') {
      const at = line.indexOf(': ');
      fields[line.slice(0, at)] = line.slice(at + 2);
      continue;
    }
    const { id = '', event = 'message', data = '' } = fields;
    if (data !== '') yield { id: Number(id), event, data: JSON.parse(data) as ReadEvent['data'] };
    fields = {};
  }
}
