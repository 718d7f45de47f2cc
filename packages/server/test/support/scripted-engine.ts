// An engine without a model that does what the prompt says, step by step: a real implementation of the port.
// `text 3 | tool | ask Bash | fail` writes three deltas, calls a tool, asks a permission and fails.
import { setImmediate as nextTick } from 'node:timers/promises';
import { type EngineEvent, promptText, type Session } from '@parley/protocol';
import { Slots } from '../../src/basics/slots.ts';
import type { Engine, EngineTurn } from '../../src/domain/engine.ts';

export class ScriptedEngine implements Engine {
  readonly name = 'messages-api';
  readonly storesEvents: boolean;
  /** How often each tool call ran, by turn: a tool must never run twice for one turn. */
  readonly toolRuns = new Map<string, number>();
  /** Turns that run now, by session, and the most that ever ran at once. */
  readonly running = new Map<string, number>();
  maxAtOnce = 0;
  /** The most turns that ever ran at once in all sessions. */
  maxInAll = 0;
  /** Sessions that somebody watches. */
  readonly watched = new Set<string>();
  /** While it is set, the engine is not ready and no turn starts. */
  starting: Promise<void> | undefined;

  readonly slots: Slots;

  constructor({ storesEvents = true, maxTurns = 1_000 } = {}) {
    this.storesEvents = storesEvents;
    this.slots = new Slots(maxTurns);
  }

  #isUp = () => {};

  fallAsleep(): void {
    this.starting ??= new Promise((resolve) => {
      this.#isUp = resolve;
    });
  }

  comeUp(): void {
    this.starting = undefined;
    this.#isUp();
  }

  isReady(): boolean {
    return this.starting === undefined;
  }

  async *run(turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
    const { id } = turn.session;
    await Promise.race([this.starting, aborted(turn.signal)]);
    if (turn.signal.aborted) return;
    await turn.saveStart();
    this.running.set(id, (this.running.get(id) ?? 0) + 1);
    this.maxAtOnce = Math.max(this.maxAtOnce, this.running.get(id) ?? 0);
    this.maxInAll = Math.max(
      this.maxInAll,
      [...this.running.values()].reduce((sum, turns) => sum + turns, 0),
    );
    try {
      yield { type: 'message', role: 'user', content: [{ type: 'text', text: promptText(turn.prompt) }] };
      for (const step of promptText(turn.prompt).split('|')) {
        if (turn.signal.aborted) return;
        yield* this.#step(step.trim(), turn);
      }
    } finally {
      this.running.set(id, (this.running.get(id) ?? 0) - 1);
    }
  }

  async wake({ id }: Session): Promise<void> {
    this.watched.add(id);
  }

  unwatch(id: string): void {
    this.watched.delete(id);
  }

  async close(): Promise<void> {}

  async *#step(step: string, turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
    const [verb = '', argument = ''] = step.split(' ');
    switch (verb) {
      case 'text': {
        const words = Array.from({ length: Number(argument) }, (_, index) => `w${index} `);
        for (const text of words) {
          if (turn.signal.aborted) return;
          yield { type: 'text.delta', text };
          await nextTick();
        }
        yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: words.join('') }] };
        return;
      }
      case 'flood':
        // So many pieces of 64 KB, and then nothing that repeats them.
        for (let piece = 0; piece < Number(argument) && !turn.signal.aborted; piece += 1) {
          yield { type: 'text.delta', text: 'x'.repeat(64 * 1024) };
          await nextTick();
        }
        return;
      case 'begin':
        // The start of an unfinished message.
        yield { type: 'text.delta', text: argument };
        return;
      case 'tool': {
        yield { type: 'tool.started', id: `${turn.id}-tool`, tool: 'look', input: {} };
        this.toolRuns.set(turn.id, (this.toolRuns.get(turn.id) ?? 0) + 1);
        await nextTick();
        yield { type: 'tool.ended', id: `${turn.id}-tool`, tool: 'look', outcome: 'finished' };
        return;
      }
      case 'leave':
        // A question that the engine does not wait for.
        void turn.askPermission({ tool: argument, input: {} });
        return;
      case 'ask': {
        const decision = await turn.askPermission({ tool: argument, input: { turn: turn.id } });
        yield { type: 'notice', code: 'decision', message: decision.behavior };
        return;
      }
      case 'usage':
        yield {
          type: 'usage',
          model: 'scripted',
          usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 },
        };
        return;
      case 'wait':
        await aborted(turn.signal);
        return;
      case 'fail':
        yield { type: 'failed', code: 'unavailable', message: 'The model is out.', recoverable: true };
        return;
      case 'throw':
        throw new Error('a defect with a secret in it');
      default:
        throw new Error(`no such step: ${step}`);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
