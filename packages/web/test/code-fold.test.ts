// From frames of the real program to what the page shows.
import { describe, expect, it } from 'vitest';
import { foldFrames, foldOlder, foldSubagent } from '../src/code/model/fold-frames.ts';
import type { Item, ToolItem } from '../src/code/model/items.ts';
import type { Frame } from '../src/code/model/read.ts';
import {
  emptyTranscript,
  mainThread,
  partialOf,
  type Transcript,
  threadOf,
} from '../src/code/model/transcript.ts';
import { golden, tourFrames, tourLines } from './code-frames.ts';

const main = (state: Transcript) => threadOf(state, mainThread);
const keysOf = (items: readonly Item[]) => items.map(({ key }) => key);
const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind);
const words = (items: readonly Item[]) =>
  items.flatMap((item) => (item.kind === 'text' || item.kind === 'prompt' ? [item.text] : []));
const tool = (state: Transcript, name: string, thread = mainThread): ToolItem => {
  const found = threadOf(state, thread).find((item) => item.kind === 'tool' && item.name === name);
  if (found?.kind !== 'tool') throw new Error(`There is no call of ${name}.`);
  return found;
};

describe('the fold of frames', () => {
  it('shows thought, words, and what the turn cost', () => {
    const state = foldFrames(emptyTranscript, golden('text'));
    expect(kinds(main(state))).toEqual(['thinking', 'text', 'result']);
    expect(main(state)[2]).toMatchObject({ kind: 'result', isError: false, costUsd: 0.05706000000000001 });
    expect(state.facts).toMatchObject({
      model: 'claude-opus-5-5',
      permissionMode: 'default',
      contextWindow: 1_000_000,
      totalCostUsd: 0.05706000000000001,
    });
  });

  it('shows the pieces of a message until the whole one takes their place', () => {
    const frames = golden('text');
    const states: string[] = [];
    let state = emptyTranscript;
    for (const frame of frames) {
      state = foldFrames(state, [frame]);
      const partial = partialOf(state, mainThread).map(({ kind, text }) => `${kind}:${text}`);
      const whole = main(state).flatMap((item) => (item.kind === 'text' ? [`whole:${item.text}`] : []));
      const shown = [...whole, ...partial].join(' ');
      if (shown !== states.at(-1)) states.push(shown);
    }
    expect(states).toEqual([
      '',
      'thinking:',
      'thinking:Let me ',
      'thinking:Let me see.',
      '',
      'text:',
      'text:Hello ',
      'text:Hello there',
      'text:Hello there!',
      'whole:Hello there!',
    ]);
  });

  it('pairs results with their calls, and tells a failure', () => {
    const state = foldFrames(emptyTranscript, golden('tools'));
    const calls = main(state).filter((item) => item.kind === 'tool');
    expect(calls.map(({ id, input }) => [input['command'], state.results.get(id)?.isError])).toEqual([
      ['echo one', false],
      ['exit 3', true],
    ]);
  });

  it('keeps what the program says of an edit beside its result', () => {
    const state = foldFrames(emptyTranscript, tourFrames);
    const result = state.results.get(tool(state, 'Edit').id);
    expect(result?.details['structuredPatch']).toHaveLength(1);
  });

  it('puts the messages of a subagent below the call that started it', () => {
    const state = foldFrames(emptyTranscript, tourFrames);
    const { id } = tool(state, 'Agent');
    expect(kinds(threadOf(state, id))).toContain('tool');
    expect(words(threadOf(state, id))).toContain('I see 2 files:\n\n- README.md\n- hello.txt');
    expect(words(main(state))).not.toContain('I see 2 files:\n\n- README.md\n- hello.txt');
    expect(state.results.get(tool(state, 'Bash', id).id)?.text).toBe('README.md\nhello.txt');
  });

  it('says that a turn was interrupted, and leaves nothing half written', () => {
    const state = foldFrames(emptyTranscript, golden('interrupted'));
    expect(main(state)).toContainEqual(expect.objectContaining({ kind: 'note', text: 'Interrupted' }));
    expect(main(state).at(-1)).toMatchObject({ kind: 'result', isError: true, problem: undefined });
    expect(partialOf(state, mainThread)).toEqual([]);
  });

  it('shows a message of an unknown type as it is [code.messages.typed-views]', () => {
    const state = foldFrames(emptyTranscript, golden('oddities'));
    const raw = main(state).filter((item) => item.kind === 'raw');
    expect(raw.map(({ type, raw }) => [type, raw])).toEqual([
      ['from_the_future', { type: 'from_the_future', subtype: 'very' }],
      ['unknown', { type: 7 }],
    ]);
  });

  it('reads events that come bare', () => {
    const state = foldFrames(emptyTranscript, golden('bare'));
    expect(kinds(main(state))).not.toContain('raw');
  });

  it('shows what the program calls a failure', () => {
    const failed: Frame = { type: 'result', uuid: 'r', subtype: 'error_max_turns', is_error: true };
    expect(main(foldFrames(emptyTranscript, [failed]))[0]).toMatchObject({
      problem: 'The turn reached its limit of steps.',
    });
  });

  it('does not take what the program adds for the model for words of the person', () => {
    const user = (uuid: string, content: string, rest = {}) => ({
      type: 'user',
      uuid,
      message: { role: 'user', content },
      ...rest,
    });
    const state = foldFrames(emptyTranscript, [
      user('1', 'Caveat: the messages below …', { isMeta: true }),
      user('2', '<command-name>/compact</command-name><command-args>now</command-args>'),
      user('3', '<local-command-stdout>\u001b[2mCompacted\u001b[22m</local-command-stdout>'),
      user('4', 'A real prompt'),
    ]);
    expect(main(state).map((item) => [item.kind, 'text' in item && item.text])).toEqual([
      ['note', '/compact now'],
      ['note', 'Output of the command'],
      ['prompt', 'A real prompt'],
    ]);
    expect(main(state)[1]).toMatchObject({ detail: 'Compacted' });
  });

  it('leaves the state that it was given as it was', () => {
    const state = foldFrames(emptyTranscript, golden('tools'));
    const before = structuredClone(state);
    foldFrames(state, golden('two-turns'));
    expect(state).toEqual(before);
  });
});

describe('the transcript and the live frames of one session', () => {
  it('give the same conversation', () => {
    const shown = (frames: readonly Frame[]) =>
      main(foldFrames(emptyTranscript, frames))
        .filter((item) => item.kind === 'prompt' || item.kind === 'text' || item.kind === 'tool')
        .map(({ key }) => key);
    expect(shown(tourLines)).toEqual(shown(tourFrames));
  });

  it('are taken once, whichever comes first', () => {
    const frames = foldFrames(emptyTranscript, tourFrames);
    expect(words(main(foldFrames(frames, tourLines)))).toEqual(words(main(frames)));
    expect(words(main(foldOlder(frames, tourLines)))).toEqual(words(main(frames)));
  });

  it('read in pages backwards give what reading it at once gives', () => {
    const whole = foldFrames(emptyTranscript, tourLines);
    for (const size of [1, 3, 7, 20]) {
      const pages: Frame[][] = [];
      for (let end = tourLines.length; end > 0; end -= size)
        pages.push(tourLines.slice(Math.max(0, end - size), end));
      const paged = pages.reduce(foldOlder, emptyTranscript);
      expect(main(paged)).toEqual(main(whole));
      expect(paged.results).toEqual(new Map(whole.results));
    }
  });

  it('have what a subagent said once and in order, although its own transcript does not say whose it is', () => {
    const live = foldFrames(emptyTranscript, tourFrames);
    const [call = ''] = [...live.threads.keys()].filter((thread) => thread !== mainThread);
    const said = tourFrames.filter((frame) => frame['parent_tool_use_id'] === call);
    expect(said.length).toBeGreaterThan(2);
    const lines = said.map(
      (frame): Frame => ({ ...frame, parent_tool_use_id: undefined, isSidechain: true }),
    );
    const opened = foldFrames(emptyTranscript, tourLines);
    const kept = foldSubagent(opened, call, lines);
    expect(keysOf(threadOf(kept, call))).toEqual(keysOf(threadOf(live, call)));
    expect(main(kept)).toEqual(main(opened));

    const joined = foldFrames(opened, said.slice(-1));
    expect(keysOf(threadOf(foldSubagent(joined, call, lines), call))).toEqual(keysOf(threadOf(live, call)));
  });
});
