// From the data of a chunk to stream events. Pieces of one text that came together become one event: nobody could
// see them apart, and every later step is done once for all of them. This runs for every token of every stream, so
// a piece of the usual form is read without the JSON parser.
import { problemInStream } from './api-client.ts';
import { ApiProblem } from './api-problem.ts';
import type { StreamEvent } from './message-fold.ts';

export interface ReadEvents {
  readonly events: readonly StreamEvent[];
  /** What came before a problem in the same chunk still counts. */
  readonly problem?: ApiProblem;
}

export function readEvents(chunk: readonly string[]): ReadEvents {
  const events: StreamEvent[] = [];
  let run: TextRun | undefined;
  for (const data of chunk) {
    const piece = run && usualPiece(data, run.head);
    if (run && piece !== undefined) {
      run.event.delta.text += piece;
      continue;
    }
    let event: StreamEvent;
    try {
      event = JSON.parse(data) as StreamEvent;
    } catch (cause) {
      return { events, problem: new ApiProblem('cut-off', 'an event of the stream is no JSON', { cause }) };
    }
    if (event.type === 'error') {
      const error = event['error'] as { type?: unknown; message?: unknown } | undefined;
      return { events, problem: problemInStream(error?.type, error?.message) };
    }
    if (!isTextPiece(event)) {
      run = undefined;
      events.push(event);
    } else if (run?.event.index === event.index) {
      run.event.delta.text += event.delta.text;
    } else {
      run = { event, head: headOf(event.index) };
      events.push(event);
    }
  }
  return { events };
}

interface TextPiece extends StreamEvent {
  readonly index: number;
  readonly delta: { readonly type: 'text_delta'; text: string };
}

interface TextRun {
  readonly event: TextPiece;
  /** How the next piece of the same text usually begins. */
  readonly head: string;
}

function isTextPiece(event: StreamEvent): event is TextPiece {
  const delta = event['delta'] as Partial<TextPiece['delta']> | undefined;
  return (
    event.type === 'content_block_delta' && delta?.type === 'text_delta' && typeof delta.text === 'string'
  );
}

function headOf(index: number): string {
  return `{"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":"`;
}

/** The text of a piece that has the usual form and no escapes; the service pads its events with blanks. */
function usualPiece(data: string, head: string): string | undefined {
  if (!data.startsWith(head)) return undefined;
  const end = data.indexOf('"', head.length);
  const text = data.slice(head.length, end);
  if (text.includes('\\')) return undefined;
  return data.endsWith('"}}') && data.length === end + 3 ? text : paddedPiece(data, text, end);
}

function paddedPiece(data: string, text: string, end: number): string | undefined {
  return data.slice(end).replaceAll(' ', '') === '"}}' ? text : undefined;
}
