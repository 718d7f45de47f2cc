// How a conversation is opened: what is long past as it was kept, the newest turns event by event, so that what was
// done in them is there too.
import type { Session, TurnOutcome, Usage } from '@parley/protocol';
import type { Conversation, TurnView } from './conversation.ts';

/** What `GET /api/sessions/:id` answers. */
export interface SessionDetail {
  readonly session: Session;
  readonly turns: readonly KeptTurn[];
  readonly running: string | null;
  readonly queue: readonly {
    readonly turnId: string;
    readonly prompt: { readonly text: string; readonly images: readonly string[] };
  }[];
  readonly lastSeq: number;
}

interface KeptTurn {
  readonly id: string;
  readonly status: string;
  readonly prompt: { readonly text: string; readonly images: readonly string[] };
  readonly text: string;
  readonly usage: Usage;
  readonly error?: { readonly message: string };
  readonly after: number;
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The server keeps more than this; it is what a page reads in a moment. */
const mostEvents = 5_000;

/** Follow the events after `seq` of the result: the turns that they are of are not in it yet. */
export function openingOf(detail: SessionDetail, most = mostEvents): Conversation {
  const { turns, lastSeq } = detail;
  const recent = turns.findIndex(({ after }) => after >= lastSeq - most);
  const from = recent < 0 ? Math.max(turns.length - 1, 0) : recent;
  return {
    seq: turns[from]?.after ?? lastSeq,
    turns: turns.slice(0, from).map(asKept),
    queue: detail.queue.map(({ turnId, prompt }) => ({ turnId, prompt: shown(prompt) })),
    recipe: undefined,
  };
}

/** Everything as it was kept, for a server that has forgotten the events. */
export function withoutEvents(detail: SessionDetail): Conversation {
  return { ...openingOf({ ...detail, turns: [] }), turns: detail.turns.map(asKept) };
}

function asKept(turn: KeptTurn): TurnView {
  return {
    id: turn.id,
    prompt: shown(turn.prompt),
    startedAt: turn.startedAt ?? turn.queuedAt,
    endedAt: turn.endedAt,
    status: turn.status as 'running' | TurnOutcome,
    parts: turn.text === '' ? [] : [{ kind: 'text', text: turn.text }],
    openFrom: 0,
    usage: turn.usage,
    model: undefined,
    error: turn.error && { message: turn.error.message, recoverable: true },
  };
}

function shown({ text, images }: KeptTurn['prompt']) {
  return { text, images: images.length };
}
