// Requests and responses between host and program, in both directions, over the same pipes as the frames. Waiting for
// the program has a time limit; waiting for a person's decision has none.
import { randomUUID } from 'node:crypto';
import { ClaudeCliError } from '../errors.ts';
import type { ControlCancelBody, ControlRequestBody, ControlResponseBody } from '../frames/bodies.ts';
import { abandonable, attempt } from '../unhandled-rejections.ts';
import {
  type PermissionDecision,
  type PermissionHandler,
  type PermissionRequest,
  readPermissionRequest,
  toWireDecision,
} from './permission.ts';

export interface ControlChannelOptions {
  readonly write: (line: string) => Promise<void>;
  readonly timeoutMs: number;
  readonly onPermission: () => PermissionHandler | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export type ControlFields = Readonly<Record<string, unknown>>;
export type ControlAnswer = Readonly<Record<string, unknown>>;

interface Pending {
  readonly subtype: string;
  readonly answer: Promise<ControlAnswer>;
  readonly settle: (outcome: ControlAnswer | ClaudeCliError) => void;
}

const MAX_PENDING = 1_000;

export class ControlChannel {
  readonly #options: ControlChannelOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #asked = new Map<string, AbortController>();
  #closed: ClaudeCliError | undefined;

  constructor(options: ControlChannelOptions) {
    this.#options = options;
  }

  /** How many of the program's questions wait for a decision. */
  get openQuestions(): number {
    return this.#asked.size;
  }

  /** Sends a request to the program; resolves with the payload of its response. */
  request(subtype: string, fields: ControlFields = {}, options: RequestOptions = {}): Promise<ControlAnswer> {
    return attempt(() => {
      if (this.#closed) throw this.#closed;
      if (options.signal?.aborted) throw aborted(subtype, options.signal);
      if (this.#pending.size >= MAX_PENDING) {
        throw new ClaudeCliError('input_full', 'Too many control requests are waiting for an answer.');
      }
      return this.#ask(subtype, fields, options);
    });
  }

  #ask(subtype: string, fields: ControlFields, options: RequestOptions): Promise<ControlAnswer> {
    const requestId = randomUUID();
    const line = JSON.stringify({
      type: 'control_request',
      request_id: requestId,
      request: { ...fields, subtype },
    });
    const answer = this.#expect(requestId, subtype, options);
    this.#options.write(line).catch((error: unknown) => {
      this.#pending.get(requestId)?.settle(error as ClaudeCliError);
    });
    return answer;
  }

  receiveResponse({ response }: ControlResponseBody): void {
    const pending = this.#pending.get(response.request_id);
    if (!pending) return;
    if (response.subtype === 'success') {
      pending.settle((response.response ?? {}) as ControlAnswer);
      return;
    }
    const message = response.error ?? 'it gave no reason';
    pending.settle(
      new ClaudeCliError('control_refused', `The program refused ${pending.subtype}: ${message}`),
    );
  }

  receiveRequest(body: ControlRequestBody): void {
    const handler = this.#options.onPermission();
    if (body.request.subtype === 'can_use_tool' && handler) {
      void this.#askPerson(body, handler);
      return;
    }
    const error = `This host does not handle ${body.request.subtype}.`;
    this.#send(toAnswer({ subtype: 'error', request_id: body.request_id, error }));
  }

  receiveCancel({ request_id: requestId }: ControlCancelBody): void {
    const question = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    question?.abort(new ClaudeCliError('aborted', 'The program withdrew its question.'));
  }

  /** Call when the process is gone: no request in either direction will be answered. */
  close(reason: ClaudeCliError): void {
    this.#closed = reason;
    for (const { answer, settle } of this.#pending.values()) {
      void abandonable(answer);
      settle(reason);
    }
    for (const question of this.#asked.values()) question.abort(reason);
    this.#asked.clear();
  }

  #expect(requestId: string, subtype: string, options: RequestOptions): Promise<ControlAnswer> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs;
    let resolve!: (answer: ControlAnswer) => void;
    let reject!: (reason: ClaudeCliError) => void;
    const answer = new Promise<ControlAnswer>((...settlers) => {
      [resolve, reject] = settlers;
    });
    const settle = (outcome: ControlAnswer | ClaudeCliError): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      this.#pending.delete(requestId);
      if (outcome instanceof ClaudeCliError) reject(outcome);
      else resolve(outcome);
    };
    const timer = setTimeout(() => settle(timedOut(subtype, timeoutMs)), timeoutMs);
    const onAbort = (): void => settle(aborted(subtype, options.signal));
    options.signal?.addEventListener('abort', onAbort);
    this.#pending.set(requestId, { subtype, answer, settle });
    return answer;
  }

  async #askPerson(body: ControlRequestBody, handler: PermissionHandler): Promise<void> {
    const request = readPermissionRequest(body);
    const question = new AbortController();
    this.#asked.set(request.requestId, question);
    const answer = await decide(handler, request, question.signal);
    // Ignore the answer if the question was withdrawn or asked again under the same id.
    if (this.#asked.get(request.requestId) !== question) return;
    this.#asked.delete(request.requestId);
    this.#send(answer);
  }

  #send(answer: string): void {
    if (this.#closed) return;
    // If the pipe is broken, the end of the process reports it.
    this.#options.write(answer).catch(() => undefined);
  }
}

/** Returns the answer to send. A handler that fails or returns no valid decision denies. */
async function decide(
  handler: PermissionHandler,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<string> {
  try {
    const decision = (await handler(request, { signal })) as PermissionDecision | undefined;
    if (!decision) throw new TypeError('the handler returned no decision.');
    return toPermissionAnswer(request, decision);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return toPermissionAnswer(request, { behavior: 'deny', message: `Could not ask anyone: ${reason}` });
  }
}

function toPermissionAnswer(request: PermissionRequest, decision: PermissionDecision): string {
  const response = toWireDecision(request, decision);
  return toAnswer({ subtype: 'success', request_id: request.requestId, response });
}

function toAnswer(response: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type: 'control_response', response });
}

function timedOut(subtype: string, timeoutMs: number): ClaudeCliError {
  return new ClaudeCliError(
    'control_timeout',
    `The program did not answer ${subtype} within ${timeoutMs} ms.`,
  );
}

function aborted(subtype: string, signal: AbortSignal | undefined): ClaudeCliError {
  return new ClaudeCliError('aborted', `The caller stopped waiting for ${subtype}.`, {
    cause: signal?.reason,
  });
}
