// Runs the tool calls of one reply side by side. Every call is announced before any of them runs; what tools
// report on the way goes out in between; the results come back in the order of the calls.
import { ParleyError, promptText, type TurnEvent } from '@parley/protocol';
import type { EngineTurn } from '../../domain/engine.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Tool, ToolContext, ToolResult } from '../../domain/tool.ts';
import { Deadline } from './deadline.ts';
import { Handoff } from './handoff.ts';
import type { MessagesApiLimits } from './limits.ts';
import type { ToolInputCheck } from './tool-input.ts';
import { interruptedResult, type ToolResultBlock, toResultBlock } from './tool-result.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The model wrote no readable input, mostly because its reply was cut off. */
  readonly isBroken: boolean;
}

export interface ToolEnvironment {
  readonly turn: EngineTurn;
  /** The how-manieth prompt of the session the turn answers. */
  readonly promptNumber: number;
  readonly usedTools: ReadonlySet<string> | undefined;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly inputCheck: ToolInputCheck;
  readonly limits: Pick<MessagesApiLimits, 'toolTimeoutMs' | 'toolResultBytes'>;
  readonly logger: Logger;
}

/** More than any sane tool has on its way at once. */
const mostWaitingEvents = 1_000;

export async function* runTools(
  calls: readonly ToolCall[],
  environment: ToolEnvironment,
): AsyncGenerator<TurnEvent, readonly ToolResultBlock[], void> {
  if (environment.turn.signal.aborted) return calls.map(({ id }) => interruptedResult(id));
  for (const { id, name, input } of calls) yield { type: 'tool.started', id, tool: name, input };

  const results = calls.map(({ id }) => interruptedResult(id));
  const events = new Handoff<TurnEvent>(mostWaitingEvents);
  const stop = new AbortController();
  const signal = AbortSignal.any([environment.turn.signal, stop.signal]);
  const runs = calls.map(async (call, at) => {
    const result = await runTool(call, { ...environment, events, signal });
    results[at] = result;
    const outcome = result['is_error'] === true ? 'failed' : 'finished';
    await events.push({ type: 'tool.ended', id: call.id, tool: call.name, outcome });
  });
  const allDone = Promise.allSettled(runs).then(() => events.close());
  try {
    yield* events;
    await allDone;
  } finally {
    stop.abort();
  }
  return results;
}

interface ToolRun extends ToolEnvironment {
  readonly events: Handoff<TurnEvent>;
  readonly signal: AbortSignal;
}

/** Never throws: whatever happens becomes a result that the model can read. */
async function runTool(call: ToolCall, run: ToolRun): Promise<ToolResultBlock> {
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
    const problem = run.inputCheck.problemWith(tool, call.input);
    if (problem !== undefined) return fail(problem);
    const result = await runInTime(tool, call, run);
    if (result === undefined) return interruptedResult(call.id);
    return toResultBlock(call.id, result, run.limits.toolResultBytes);
  } catch (thrown) {
    if (thrown instanceof ParleyError) return fail(thrown.message);
    run.logger.error({ err: thrown, tool: call.name, turn: run.turn.id }, 'a tool threw an unexpected error');
    return fail(`${call.name} failed for a reason of its own. Trying the same again will hardly help.`);
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
    ...(run.usedTools && { usedTools: run.usedTools }),
    canAsk: turn.canAsk ?? true,
    emit: async (event) => {
      if (!signal.aborted) await events.push(event);
    },
    progress: (message) => {
      if (!signal.aborted) report.say(message);
    },
    askPermission: (request) =>
      deadline.during(turn.askPermission({ toolUseId: call.id, ...request }, signal)),
  };
  // A tool that does not heed the signal is left to itself.
  const stopped = new Promise<ToolResult | undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(ending.signal.aborted ? late : undefined), { once: true });
  });
  try {
    return await Promise.race([tool.run(call.input as Readonly<Record<string, unknown>>, context), stopped]);
  } catch (thrown) {
    if (run.signal.aborted) return undefined;
    if (ending.signal.aborted) return late;
    throw thrown;
  } finally {
    deadline.clear();
    // From now on whatever the tool still says is dropped.
    ending.abort();
  }
}

/** Passes on what a tool says of its progress; while one report is on its way only the newest is kept. */
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
      // A reader that is too far behind misses a report, nothing else.
      await this.#send(message).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

function failed(content: string): ToolResult {
  return { content, failed: true };
}
