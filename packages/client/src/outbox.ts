// Prompts on their way to the server. They go out one by one, in order, each with a key, so that sending one again
// never creates a second prompt.
import type { SessionId, TurnId } from '@parley/protocol';
import { Backoff } from './backoff.ts';
import { ApiError } from './http.ts';
import type { PromptContent, Sessions } from './sessions.ts';
import { type ConversationView, emptyView } from './view.ts';

export interface SentPrompt extends PromptContent {
  readonly key: string;
  readonly steer: boolean;
  /** Known once the server has taken it; a prompt that steers the running turn has none. */
  readonly turnId: TurnId | undefined;
  /** With the code `offline` it is sent again when the server is back; otherwise retry or discard it. */
  readonly error: ApiError | undefined;
}

/** The part of a prompt that is stored until the server has it. */
export type StoredPrompt = Pick<SentPrompt, 'key' | 'text' | 'images' | 'files' | 'steer'>;

/** Keeps prompts until the server has them, for example in a tab's `sessionStorage`. */
export interface PromptStorage {
  /** The sessions with stored prompts. */
  readonly sessions: () => readonly SessionId[];
  readonly load: (session: SessionId) => readonly StoredPrompt[];
  readonly save: (session: SessionId, prompts: readonly StoredPrompt[]) => void;
}

interface Entry extends SentPrompt {
  /** `taken`: the server has it. It is dropped when the view shows it. */
  readonly state: 'waiting' | 'sending' | 'taken' | 'failed';
  /** How many prompts had the same text before it. A steering prompt is recognized by its text. */
  readonly repeated: number;
}

export class Outbox {
  readonly #session: SessionId;
  readonly #sessions: Sessions;
  readonly #changed: (sent: readonly SentPrompt[]) => void;
  readonly #storage: PromptStorage | undefined;
  readonly #backoff = new Backoff();
  #entries: readonly Entry[] = [];
  #view: ConversationView = emptyView;
  #known: ReadonlySet<TurnId> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    session: SessionId,
    sessions: Sessions,
    changed: (sent: readonly SentPrompt[]) => void,
    storage: PromptStorage | undefined,
  ) {
    this.#session = session;
    this.#sessions = sessions;
    this.#changed = changed;
    this.#storage = storage;
  }

  /** Sends what was stored. */
  resume(): void {
    const stored = this.#storage?.load(this.#session) ?? [];
    if (stored.length === 0) return;
    this.#set(stored.map((prompt) => this.#entryOf(prompt)));
    this.#sendNext();
  }

  send({ text, images, files }: PromptContent, steer: boolean): void {
    this.#set([...this.#entries, this.#entryOf({ key: newKey(), text, images, files, steer })]);
    this.#sendNext();
  }

  /** Sends a refused or waiting prompt again, at once. */
  retry(key: string): void {
    const entry = this.#entries.find((candidate) => candidate.key === key);
    if (entry?.error === undefined) return;
    this.#change(key, { state: 'waiting', error: undefined });
    this.#sendNext();
  }

  discard(key: string): SentPrompt | undefined {
    const entry = this.#entries.find((candidate) => candidate.key === key);
    this.#set(this.#entries.filter((candidate) => candidate !== entry));
    this.#sendNext();
    return entry;
  }

  /** Call when the server can be reached again: sends what waits, at once. */
  connected(): void {
    this.#backoff.reset();
    this.#sendNext();
  }

  /** Drops prompts that the view shows, and those of the turns in `known`, which may have ended before it begins. */
  settle(view: ConversationView, known: ReadonlySet<TurnId> = this.#known): void {
    this.#view = view;
    this.#known = known;
    if (this.#entries.length === 0) return;
    const shown = new Set([
      ...known,
      ...view.queue.map(({ turnId }) => turnId),
      ...view.items.map(({ turnId }) => turnId),
      view.running,
    ]);
    const rest = this.#entries.filter((entry) => {
      if (entry.state !== 'taken') return true;
      if (entry.turnId !== undefined) return !shown.has(entry.turnId);
      return view.running !== undefined && countSame(view, entry.text) <= entry.repeated;
    });
    if (rest.length < this.#entries.length) this.#set(rest);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #entryOf({ key, text, images, files, steer }: StoredPrompt): Entry {
    const repeated = countSame(this.#view, text);
    return {
      key,
      text,
      images,
      files,
      steer,
      turnId: undefined,
      error: undefined,
      state: 'waiting',
      repeated,
    };
  }

  #sendNext(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#entries.some(({ state }) => state === 'sending')) return;
    const next = this.#entries.find(({ state }) => state === 'waiting');
    if (next) void this.#deliver(next);
  }

  async #deliver({ key, text, images, files, steer }: Entry): Promise<void> {
    this.#change(key, { state: 'sending' });
    try {
      const { turnId } = await this.#sessions.prompt(this.#session, { text, images, files }, { key, steer });
      this.#backoff.reset();
      this.#change(key, { state: 'taken', turnId: turnId ?? undefined, error: undefined });
      // The view may have shown its turn before the receipt came.
      this.settle(this.#view);
      this.#sendNext();
    } catch (thrown) {
      if (isUnreachable(thrown)) {
        this.#change(key, { state: 'waiting', error: offline });
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#sendNext(), this.#backoff.next());
        return;
      }
      const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'internal', String(thrown));
      this.#change(key, { state: 'failed', error });
      this.#sendNext();
    }
  }

  #change(key: string, change: Partial<Entry>): void {
    this.#set(this.#entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)));
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries;
    const unsent = entries.filter(({ state }) => state !== 'taken');
    this.#storage?.save(
      this.#session,
      unsent.map(({ key, text, images, files, steer }) => ({ key, text, images, files, steer })),
    );
    this.#changed(entries);
  }
}

/** Only then is a prompt sent again without asking. The person should see any other refusal. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'offline' || [502, 503, 504].includes(error.status));
}

const offline = new ApiError(0, 'offline', 'The server cannot be reached. The prompt waits for it.');

function countSame({ items }: ConversationView, text: string): number {
  return items.filter((item) => item.kind === 'prompt' && item.text.trim() === text.trim()).length;
}

/** `crypto.randomUUID` is missing on pages that were loaded over plain HTTP from another machine. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
