// An engine that sends frames, step by step as the prompt says, and writes a transcript like the program.
// `say 3 | ask Bash | todo | raw {"type":"new"} | die` is one turn.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { initialTranslationState, parseFrame, type TranslationState } from '@parley/claude-cli';
import {
  type CodeModel,
  type EngineEvent,
  type FrameEvent,
  ParleyError,
  type Prompt,
  promptText,
  type Session,
  type Todo,
  type TurnEvent,
} from '@parley/protocol';
import type { Engine, EngineTurn } from '../../../src/domain/engine.ts';
import { toFrameEvent } from '../../../src/engines/claude-code/translation/frame-event.ts';

export class FrameEngine implements Engine {
  readonly name = 'claude-code';
  readonly storesEvents = false;
  /** Every frame as it was sent, by session. */
  readonly sent = new Map<string, string[]>();
  /** The lines of the transcript, by session. */
  readonly transcripts = new Map<string, string[]>();
  readonly prompts: Prompt[] = [];
  readonly steered: Prompt[] = [];
  readonly configured: Session['settings'][] = [];
  readonly decisions: unknown[] = [];
  readonly woken: string[] = [];
  readonly released: string[] = [];
  /** Publishes outside of any turn. */
  publish: ((event: TurnEvent) => void) | undefined;
  /** The task lists of the sessions. */
  readonly todos = new Map<string, readonly Todo[]>();
  /** The modes that programs have entered by themselves. */
  readonly modes = new Map<string, string>();
  /** The models that the program reports once it runs. */
  offered: readonly CodeModel[] | undefined;
  /** Steps and wake calls wait for these, so that a test can look first. */
  gates = new Map<string, Promise<void>>();
  /** The program writes its transcript a little after its output; a test can delay it. */
  isTranscriptLate = false;
  readonly #states = new Map<string, TranslationState>();

  async *run(turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
    this.prompts.push(turn.prompt);
    const text = promptText(turn.prompt);
    yield* this.#frame(turn.session.id, { type: 'system', subtype: 'init', session_id: turn.session.id });
    yield* this.#kept(turn.session.id, { type: 'user', message: { role: 'user', content: text } });
    for (const step of text.split(' | ')) {
      if (turn.signal.aborted) break;
      const isDead = yield* this.#step(step.trim(), turn);
      if (isDead) return;
    }
    const result = turn.signal.aborted ? 'error_during_execution' : 'success';
    yield* this.#frame(turn.session.id, {
      subtype: result,
      duration_ms: 5,
      total_cost_usd: 0.01,
      type: 'result',
    });
  }

  async wake(session: Session, publish: (event: TurnEvent) => void): Promise<void> {
    this.woken.push(session.id);
    this.publish = publish;
    await this.gates.get('up');
    if (session.settings['broken'] === true)
      throw new ParleyError('unavailable', 'The program is not there.');
  }

  models(): readonly CodeModel[] | undefined {
    return this.offered;
  }

  async steer(_session: Session, prompt: Prompt): Promise<boolean> {
    if (promptText(prompt) === 'not now') return false;
    this.steered.push(prompt);
    return true;
  }

  async configure(session: Session): Promise<void> {
    if (session.settings['model'] === 'unknown') throw new ParleyError('invalid', 'There is no such model.');
    this.configured.push(session.settings);
  }

  async release(id: string): Promise<void> {
    this.released.push(id);
  }

  async close(): Promise<void> {}

  async *#step(step: string, turn: EngineTurn): AsyncGenerator<EngineEvent, boolean, undefined> {
    const { id } = turn.session;
    const [verb = '', ...rest] = step.split(' ');
    const argument = rest.join(' ');
    switch (verb) {
      case 'say':
        yield* this.#say(id, Number(argument));
        return false;
      case 'burst':
        for (let index = 0; index < Number(argument); index += 1) {
          yield* this.#frame(id, { type: 'progress', index, filling: 'x'.repeat(500) });
          if (index % 50 === 0) await nextTick();
        }
        return false;
      case 'ask':
        await this.#ask(turn, argument);
        return false;
      case 'ask-all':
        await Promise.all(rest.map((tool) => this.#ask(turn, tool)));
        return false;
      case 'long':
        yield* this.#frame(id, { type: 'user', text: 'x'.repeat(Number(argument)) });
        return false;
      case 'todo':
        yield { type: 'todos', todos: [{ text: argument, status: 'pending' }] };
        return false;
      case 'raw':
        yield this.#event(id, argument);
        return false;
      case 'gate':
        await Promise.race([this.gates.get(argument), aborted(turn.signal)]);
        return false;
      case 'wait':
        await aborted(turn.signal);
        return false;
      case 'die':
        yield { type: 'failed', code: 'unavailable', message: 'The program has died.', recoverable: true };
        return true;
      default:
        return false;
    }
  }

  async #ask(turn: EngineTurn, tool: string): Promise<void> {
    const isQuestion = tool === 'AskUserQuestion';
    const decision = await turn.askPermission({
      tool,
      input: isQuestion ? { questions: [{ question: 'Red or blue?' }] } : { command: 'ls' },
      toolUseId: `toolu_${tool}`,
      description: `Uses ${tool}`,
      details: {
        display_name: tool,
        request_id: 'the-program-s-own',
        ...(isQuestion && { requires_user_interaction: true }),
      },
    });
    this.decisions.push(decision);
  }

  /** A message in pieces, then whole, as the program streams it. */
  async *#say(id: string, words: number): AsyncGenerator<EngineEvent, void, undefined> {
    const stream = (event: object) =>
      this.#frame(id, { type: 'stream_event', event, parent_tool_use_id: null, session_id: id });
    yield* stream({ type: 'message_start' });
    yield* stream({ type: 'content_block_start', index: 0 });
    for (let index = 0; index < words; index += 1) {
      yield* stream({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: `w${index} ` },
      });
      await nextTick();
    }
    const content = [
      { type: 'text', text: Array.from({ length: words }, (_, index) => `w${index} `).join('') },
    ];
    yield* this.#kept(id, { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content } });
    yield* stream({ type: 'content_block_stop', index: 0 });
    yield* stream({ type: 'message_stop' });
  }

  *#kept(id: string, body: object): Generator<EngineEvent, void, undefined> {
    const uuid = randomUUID();
    // Different order and additional keys, as in the program's transcripts: the same message, but not the same bytes.
    const line = JSON.stringify({ parentUuid: null, ...body, uuid, timestamp: new Date(0).toISOString() });
    const keep = () => this.transcriptOf(id).push(line);
    if (!this.isTranscriptLate) keep();
    yield* this.#frame(id, { ...body, session_id: id, uuid });
  }

  *#frame(id: string, body: object): Generator<EngineEvent, void, undefined> {
    const raw = JSON.stringify({ uuid: randomUUID(), ...body });
    yield this.#event(id, raw);
  }

  /** As the engine would report it. */
  #event(id: string, raw: string): FrameEvent {
    const sent = this.sent.get(id) ?? [];
    this.sent.set(id, sent);
    sent.push(raw);
    const frame = parseFrame(Buffer.from(raw));
    if (!frame) throw new Error(`no frame: ${raw}`);
    const { event, state } = toFrameEvent(frame, this.#states.get(id) ?? initialTranslationState);
    this.#states.set(id, state);
    return event;
  }

  transcriptOf(id: string): string[] {
    const lines = this.transcripts.get(id) ?? [];
    this.transcripts.set(id, lines);
    return lines;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
