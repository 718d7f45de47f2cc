// From frames and transcripts that the real program wrote to what a conversation shows: the driver says what they
// mean, and the client folds it.
import { readFileSync } from 'node:fs';
import { type Frame, initialTranslationState, parseFrame } from '@parley/claude-cli';
import {
  type ConversationView,
  type Entry,
  emptyView,
  foldEntries,
  foldEntry,
  foldOlder,
  foldSubagent,
  type Item,
  mainThread,
  type ToolItem,
} from '@parley/client';
import { describe, expect, it } from 'vitest';
import { toFrameEvent, toPastEntries } from '../../src/engines/claude-code/translation/frame-event.ts';

function framesIn(path: string): Frame[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => parseFrame(Buffer.from(line)) ?? []);
}

/** Frames as they arrive live. */
function live(frames: readonly Frame[]): Entry[] {
  let state = initialTranslationState;
  return frames.map((frame, at) => {
    const translated = toFrameEvent(frame, state);
    state = translated.state;
    return { seq: at + 1, at, event: translated.event };
  });
}

const golden = (name: string) => live(framesIn(`../../../claude-cli/test/events/golden/${name}.jsonl`));
/** One session with a word, a file read, edited and written, a refused and a failed command, a question, a subagent, a plan. */
const tour = live(framesIn('./golden/code-tour.frames.jsonl'));
/** What the program kept of the same session. */
const tourLines = toPastEntries(framesIn('./golden/code-tour.transcript.jsonl'));

const fold = (entries: readonly Entry[]) => foldEntries(emptyView, entries);
const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind);
const keys = (items: readonly Item[] = []) => items.map(({ key }) => key);
const words = (items: readonly Item[] = []) =>
  items.flatMap((item) => (item.kind === 'text' || item.kind === 'prompt' ? [item.text] : []));

function toolIn(items: readonly Item[] | undefined, name: string): ToolItem {
  const found = items?.find((item): item is ToolItem => item.kind === 'tool' && item.tool === name);
  if (!found) throw new Error(`There is no call of ${name}.`);
  return found;
}

describe('the frames of a session', () => {
  it('show thought, words, and facts about the model', () => {
    const view = fold(golden('text'));
    expect(kinds(view.items)).toEqual(['thinking', 'text']);
    expect(view.facts).toMatchObject({
      model: 'claude-opus-5-5',
      permissionMode: 'default',
      contextWindow: 1_000_000,
      totalCostUsd: 0.05706000000000001,
    });
    expect(view.facts.contextTokens).toBeGreaterThan(0);
  });

  it('show the pieces of a message until the whole one replaces them', () => {
    const seen: string[] = [];
    let view: ConversationView = emptyView;
    for (const entry of golden('text')) {
      view = foldEntry(view, entry);
      const partial = (view.writing.get(mainThread) ?? []).map(({ kind, text }) => `${kind}:${text}`);
      const shown = [...words(view.items), ...partial].join(' ');
      if (shown !== seen.at(-1)) seen.push(shown);
    }
    expect(seen).toEqual([
      '',
      'thinking:Let me ',
      'thinking:Let me see.',
      '',
      'text:Hello ',
      'text:Hello there',
      'text:Hello there!',
      'Hello there!',
    ]);
  });

  it('pair results with their calls, and show a failure', () => {
    const view = fold(golden('tools'));
    const calls = view.items.filter((item) => item.kind === 'tool');
    expect(calls.map(({ id, input }) => [input, view.tools.get(id)?.outcome])).toMatchObject([
      [{ command: 'echo one' }, 'finished'],
      [{ command: 'exit 3' }, 'failed'],
    ]);
  });

  it('keep what the program reports about an edit', () => {
    const view = fold(tour);
    const edit = view.tools.get(toolIn(view.items, 'Edit').id);
    expect(edit?.details?.['structuredPatch']).toHaveLength(1);
  });

  it('put the messages of a subagent below the call that runs it', () => {
    const view = fold(tour);
    const { id } = toolIn(view.items, 'Agent');
    const said = view.subagents.get(id);
    expect(words(said)).toContain('I see 2 files:\n\n- README.md\n- hello.txt');
    expect(words(view.items)).not.toContain('I see 2 files:\n\n- README.md\n- hello.txt');
    expect(view.tools.get(toolIn(said, 'Bash').id)?.text).toBe('README.md\nhello.txt');
  });

  it('say that a turn was interrupted, and leave nothing half written', () => {
    const view = fold(golden('interrupted'));
    expect(view.items).toContainEqual(expect.objectContaining({ kind: 'notice', code: 'interrupted' }));
    expect(view.writing.size).toBe(0);
  });

  it('show a frame of an unknown type as it is [code.messages.typed-views]', () => {
    const raw = fold(golden('oddities')).items.filter((item) => item.kind === 'raw');
    expect(raw.map(({ frame }) => JSON.parse(frame ?? ''))).toContainEqual({
      type: 'from_the_future',
      subtype: 'very',
    });
  });

  it('may be bare events', () => {
    expect(kinds(fold(golden('bare')).items)).not.toContain('raw');
  });
});

describe('the transcript and the live frames of one session', () => {
  const spoken = ({ items }: ConversationView) =>
    keys(items.filter(({ kind }) => kind === 'prompt' || kind === 'text' || kind === 'tool'));

  it('show the same conversation', () => {
    expect(spoken(fold(tourLines))).toEqual(spoken(fold(tour)));
  });

  it('show which call somebody refused', () => {
    const denied = [...fold(tourLines).tools.values()].filter((tool) => tool.denied);
    expect(denied.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('count once, whichever comes first', () => {
    const view = fold(tour);
    expect(words(foldEntries(view, tourLines).items)).toEqual(words(view.items));
    expect(words(foldOlder(view, tourLines).items)).toEqual(words(view.items));
    const resumed = foldEntries(fold(tourLines), tour);
    expect(spoken(resumed)).toEqual(spoken(view));
    expect(resumed.writing.size).toBe(0);
  });

  it('show the same when they are read in pages backwards', () => {
    const whole = fold(tourLines);
    for (const size of [1, 3, 7, 20]) {
      let view = emptyView;
      for (let end = tourLines.length; end > 0; end -= size)
        view = foldOlder(view, tourLines.slice(Math.max(0, end - size), end));
      expect(view.items).toEqual(whole.items);
      expect(new Set(view.tools.keys())).toEqual(new Set(whole.tools.keys()));
    }
  });

  it('have what a subagent said once and in order, although its own transcript does not say whose it is', () => {
    const whole = fold(tour);
    const [call = ''] = whole.subagents.keys();
    const said = tour.filter(({ event }) => event.type === 'frame' && event.subagent === call);
    expect(said.length).toBeGreaterThan(2);
    const lines = said.map(
      ({ at, event }): Entry => ({
        at,
        event: event.type === 'frame' ? { ...event, subagent: undefined } : event,
      }),
    );
    const opened = fold(tourLines);
    const loaded = foldSubagent(opened, call, lines);
    expect(keys(loaded.subagents.get(call))).toEqual(keys(whole.subagents.get(call)));
    expect(loaded.items).toEqual(opened.items);
    const joined = foldEntries(opened, said.slice(-1));
    expect(keys(foldSubagent(joined, call, lines).subagents.get(call))).toEqual(
      keys(whole.subagents.get(call)),
    );
  });
});
