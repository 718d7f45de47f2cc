// From bytes of a `text/event-stream` to the data of its events. All events of a chunk come out at once, and
// comments and pings cost next to nothing: this runs for every token of every stream.
import { StringDecoder } from 'node:string_decoder';

const longestEvent = 16 * 1024 * 1024;

export class SseDecoder {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #data = '';

  /** The data of the events that the chunk completes. Throws a RangeError when one grows without end. */
  push(chunk: Uint8Array): readonly string[] {
    const text = this.#rest + this.#decoder.write(chunk);
    const events: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#line(text.slice(start, text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end), events);
      start = end + 1;
    }
    this.#rest = start === 0 ? text : text.slice(start);
    if (this.#rest.length + this.#data.length > longestEvent) {
      throw new RangeError(`an event is longer than ${longestEvent} characters`);
    }
    return events;
  }

  #line(line: string, events: string[]): void {
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === space ? 6 : 5);
      this.#data = this.#data === '' ? value : `${this.#data}\n${value}`;
      return;
    }
    if (line !== '' || this.#data === '') return;
    events.push(this.#data);
    this.#data = '';
  }
}

const carriageReturn = 0x0d;
const space = 0x20;
