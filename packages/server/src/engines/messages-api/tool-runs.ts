// Runs the tool calls of one reply side by side. Announces every call before any of them runs, passes on what tools
// report meanwhile, and returns the results in the order of the calls.
import { type Decision, ParleyError, promptText, type TurnEvent } from '@parley/protocol';
import type { EngineTurn } from '../../domain/engine.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Tool, ToolContext, ToolResult } from '../../domain/tool.ts';
import type { Caution } from './caution.ts';
import { Handoff } from './handoff.ts';
import type { MessagesApiLimits } from './limits.ts';
import type { ToolInputCheck } from './tool-input.ts';
import { interruptedResult, type ToolResultBlock, toResultBlock } from './tool-result.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The input is not valid JSON, mostly because the reply was cut off. */
  readonly isBroken: boolean;
}

export interface ToolEnvironment {
  readonly turn: EngineTurn;
  /** The turn answers the n-th prompt of the session. */
  readonly promptNumber: number;
  /** Whether text from strangers may be in what was said before this turn. */
  readonly hasReadOutside: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly inputCheck: ToolInputCheck;
  readonly caution: Caution;
  readonly limits: Pick<MessagesApiLimits, 'toolTimeoutMs' | 'toolResultBytes'>;
  readonly logger: Logger;
}

/** More than any sane tool reports at once. */
const maxWaitingEvents = 1_000;

export async function* runTools(
  calls: readonly ToolCall[],
  environment: ToolEnvironment,
): AsyncGenerator<TurnEvent, readonly ToolResultBlock[], void> {
  if (environment.turn.signal.aborted) return calls.map(({ id }) => interruptedResult(id));
  for (const { id, name, input } of calls) yield { type: 'tool.started', id, tool: name, input };

  const results = calls.map(({ id }) => interruptedResult(id));
  const events = new Handoff<TurnEvent>(maxWaitingEvents);
  const stop = new AbortController();
  const signal = AbortSignal.any([environment.turn.signal, stop.signal]);
  const readings: Readings = [];
  const runs = calls.map(async (call, at) => {
    let refusal: Refusal | undefined;
    const onDenied = (decision: Refusal) => {
      refusal = decision;
    };
    const result = await runTool(call, { ...environment, events, signal, readings, onDenied });
    if (result) results[at] = result;
    await events.push(toolEnded(call, result, refusal));
  });
  const allDone = Promise.allSettled(runs).then(() => events.close());
  try {
    yield* events;
    await allDone;
  } finally {
    stop.abort();
  }
  for (const { reads, addresses } of readings) environment.caution.note(reads, addresses);
  return results;
}

function toolEnded(
  { id, name: tool }: ToolCall,
  result: ToolResultBlock | undefined,
  refusal: Refusal | undefined,
): TurnEvent {
  const ended = { type: 'tool.ended', id, tool } as const;
  if (result === undefined) return { ...ended, outcome: 'failed', stopped: true };
  if (result['is_error'] !== true) return { ...ended, outcome: 'finished' };
  if (refusal === undefined) return { ...ended, outcome: 'failed' };
  const { message: reason } = refusal;
  return { ...ended, outcome: 'failed', denied: true, ...(reason && { reason }) };
}

type Refusal = Extract<Decision, { behavior: 'deny' }>;

/** What the calls have read; it counts from the next reply on. */
type Readings = { readonly reads: Tool['reads']; readonly addresses?: readonly string[] | undefined }[];

interface ToolRun extends ToolEnvironment {
  readonly events: Handoff<TurnEvent>;
  readonly signal: AbortSignal;
  readonly readings: Readings;
  readonly onDenied: (decision: Refusal) => void;
}

/** Never throws: every failure becomes a result that the model can read. Undefined when the run was interrupted. */
async function runTool(call: ToolCall, run: ToolRun): Promise<ToolResultBlock | undefined> {
  const fail = (content: string): ToolResultBlock =>
    toResultBlock(call.id, failed(content), run.limits.toolResultBytes);
  const tool = run.tools.get(call.name);
  if (tool === undefined) return fail(`There is no tool named ${call.name}.`);
  if (call.isBroken) {
    return fail(
      'The input of this call was not valid JSON; the reply may have reached its length limit. Call the tool again with less in one call.',
    );
  }
  try {
    const problem = await run.inputCheck.problemWith(tool, call.input);
    if (problem !== undefined) return fail(problem);
    const result = await runInTime(tool, call, run);
    return result && toResultBlock(call.id, result, run.limits.toolResultBytes);
  } catch (thrown) {
    if (thrown instanceof ParleyError) return fail(thrown.message);
    run.logger.error({ err: thrown, tool: call.name, turn: run.turn.id }, 'a tool threw an unexpected error');
    return fail(
      `${call.name} failed with an internal error. Calling it again with the same input is unlikely to help.`,
    );
  }
}

/** Undefined when the run was interrupted. */
async function runInTime(tool: Tool, call: ToolCall, run: ToolRun): Promise<ToolResult | undefined> {
  const { limits, turn, events } = run;
  if (run.signal.aborted) return undefined;
  const ending = new AbortController();
  const signal = AbortSignal.any([run.signal, ending.signal]);
  const timeoutMs = Math.max(limits.toolTimeoutMs, tool.timeoutMs ?? 0);
  const late = failed(`${tool.name} took longer than ${timeoutMs / 1_000} seconds and was stopped.`);
  const deadline = new Deadline(timeoutMs, () => ending.abort(late));
  const report = new ProgressReport((message) =>
    events.push({ type: 'tool.progress', id: call.id, tool: tool.name, message }),
  );
  const context: ToolContext = {
    person: turn.session.person,
    sessionId: turn.session.id,
    signal,
    prompt: { text: promptText(turn.prompt), number: run.promptNumber },
    canAsk: turn.canAsk ?? true,
    hasReadOutside: run.hasReadOutside || run.caution.hasReadOutside,
    mayReach: (url) => run.caution.mayReach(url),
    emit: async (event) => {
      if (!signal.aborted) await events.push(event);
    },
    progress: (message) => {
      if (!signal.aborted) report.say(message);
    },
    askPermission: async (request) => {
      const asked = turn.askPermission({ toolUseId: call.id, ...request }, signal);
      const decision = await deadline.during(asked);
      if (decision.behavior === 'deny') run.onDenied(decision);
      return decision;
    },
  };
  // A tool that ignores the signal is abandoned.
  const stopped = new Promise<ToolResult | undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(ending.signal.aborted ? late : undefined), { once: true });
  });
  try {
    return await Promise.race([runAllowed(tool, call.input as ToolInput, context, run), stopped]);
  } catch (thrown) {
    if (run.signal.aborted) return undefined;
    if (ending.signal.aborted) return late;
    throw thrown;
  } finally {
    deadline.clear();
    // Anything that the tool reports from now on is dropped.
    ending.abort();
  }
}

type ToolInput = Readonly<Record<string, unknown>>;

async function runAllowed(
  tool: Tool,
  given: ToolInput,
  context: ToolContext,
  run: ToolRun,
): Promise<ToolResult> {
  const input = await allowedInput(tool, given, context, run);
  context.signal.throwIfAborted();
  // Before the call, because a failure may quote what was read, too.
  run.readings.push({ reads: tool.reads });
  const result = await tool.run(input, context);
  run.readings.push({ reads: undefined, addresses: result.addresses });
  return result;
}

/** Asks first where the turn has read something that makes the call risky. Throws if nobody allows it. */
async function allowedInput(
  tool: Tool,
  given: ToolInput,
  context: ToolContext,
  { caution, inputCheck }: ToolRun,
): Promise<ToolInput> {
  const risk = await tool.risk?.(given, context);
  if (risk === undefined || !caution.mustAsk(risk)) return given;
  if (context.canAsk === false) {
    const message = caution.refusal(risk);
    await context.emit({ type: 'notice', code: 'not-allowed', message });
    throw new ParleyError('forbidden', message);
  }
  const decision = await context.askPermission({
    tool: tool.name,
    input: given,
    description: caution.question(risk),
    // Asks for each host, no matter what was allowed before.
    ...(risk.kind === 'reach' && { details: { requires_user_interaction: true } }),
  });
  if (decision.behavior === 'deny') {
    throw new ParleyError('forbidden', `The person did not allow this. ${decision.message ?? ''}`.trim());
  }
  const input = (decision.updatedInput ?? given) as ToolInput;
  const problem = await inputCheck.problemWith(tool, input);
  if (problem !== undefined) throw new ParleyError('invalid', problem);
  caution.allow(await tool.risk?.(input, context));
  return input;
}

/** A time-out that can be paused: the time in which a person decides doesn't count. */
class Deadline {
  readonly #onLate: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isOver = false;

  constructor(milliseconds: number, onLate: () => void) {
    this.#leftMs = milliseconds;
    this.#onLate = onLate;
    this.#start();
  }

  /** Pauses until the work is done; several may overlap. */
  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#holds === 0) this.#stop();
    this.#holds += 1;
    try {
      return await work;
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#start();
    }
  }

  clear(): void {
    this.#isOver = true;
    this.#stop();
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }

  #start(): void {
    if (this.#isOver) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onLate, Math.max(0, this.#leftMs));
  }
}

/** Passes on progress reports; while one is being sent, only the newest waits. */
class ProgressReport {
  readonly #send: (message: string) => Promise<void>;
  #isSending = false;
  #next: string | undefined;

  constructor(send: (message: string) => Promise<void>) {
    this.#send = send;
  }

  say(message: string): void {
    this.#next = message;
    if (!this.#isSending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    while (this.#next !== undefined) {
      const message = this.#next;
      this.#next = undefined;
      // A reader that is too far behind only misses a progress report.
      await this.#send(message).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

function failed(content: string): ToolResult {
  return { content, failed: true };
}
