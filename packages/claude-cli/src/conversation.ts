// Decides which conversation a start belongs to. The first start may begin, resume or fork one; every later start
// continues the session's current conversation.
import { randomUUID } from 'node:crypto';
import type { ClaudeOptions } from './flags/options.ts';
import { isSessionId } from './transcripts/location.ts';

/** The options of a start, and what to try if it fails. */
export type StartOptions = readonly [options: ClaudeOptions, fallback?: ClaudeOptions];

export class Conversation {
  readonly #options: ClaudeOptions;
  #sessionId: string;
  #hasStarted = false;

  /** `id` becomes the program's session id if it is a UUID and the options name none. */
  constructor(options: ClaudeOptions, id: string) {
    this.#options = options;
    const resumed = options.fork_session ? undefined : options.resume;
    this.#sessionId = options.session_id ?? resumed ?? (isSessionId(id) ? id : randomUUID());
  }

  /** The program's id for the conversation. May change when the program reports it. */
  get sessionId(): string {
    return this.#sessionId;
  }

  /** Call when the program reports its conversation. It is another one after `/clear`. */
  reported(sessionId: string): 'same' | 'another' {
    const isAnother = this.#hasStarted && sessionId !== this.#sessionId;
    this.#sessionId = sessionId;
    this.#hasStarted = true;
    return isAnother ? 'another' : 'same';
  }

  /** A program that died early may have left nothing to resume; then the conversation starts over under the same id. */
  startOptions(): StartOptions {
    if (!this.#hasStarted) return [this.#first()];
    const rest = withoutConversation(this.#options);
    const fresh = { ...rest, session_id: this.#sessionId };
    return rest.no_session_persistence ? [fresh] : [{ ...rest, resume: this.#sessionId }, fresh];
  }

  #first(): ClaudeOptions {
    const { resume, continue: continues, from_pr: pr, fork_session: forks } = this.#options;
    const continuesOne = resume !== undefined || continues === true || pr !== undefined;
    return continuesOne && !forks ? this.#options : { ...this.#options, session_id: this.#sessionId };
  }
}

function withoutConversation(options: ClaudeOptions): ClaudeOptions {
  const rest = { ...options };
  delete rest.session_id;
  delete rest.resume;
  delete rest.resume_session_at;
  delete rest.continue;
  delete rest.fork_session;
  delete rest.from_pr;
  return rest;
}
