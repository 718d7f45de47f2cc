// What Parley adds to the lines of a transcript, even page by page: where turns end, and who wrote the prompts.
import { noUsage, type PastEntry, type Turn } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { toTurnEntries, withTurns } from '../../../src/doors/http/sessions/history.ts';

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';

function line(uuid: string, at: number, role: 'user' | 'assistant'): PastEntry {
  const content = [{ type: 'text', text: uuid }];
  return { at, event: { type: 'frame', raw: '{}', uuid, means: [{ type: 'message', role, content }] } };
}

function turn(id: string, startedAt: number, endedAt: number): Turn {
  const fields = {
    sessionId: first,
    door: 'web',
    prompt: [],
    text: 'Long',
    usage: noUsage,
    queuedAt: startedAt,
  };
  return { ...fields, id, status: 'completed', startedAt, endedAt } as unknown as Turn;
}

const lines = [
  line(first, 10, 'user'),
  line('a', 11, 'assistant'),
  line('steered', 12, 'user'),
  line('b', 13, 'assistant'),
  line('in the terminal', 30, 'user'),
  line('c', 31, 'assistant'),
  line(second, 50, 'user'),
  line('d', 51, 'assistant'),
];
const turns = [turn(first, 9, 20), turn(second, 49, 60)];
const shown = (entries: readonly PastEntry[]) =>
  entries.map(({ event, turnId }) => (event.type === 'frame' ? event.uuid : `end ${turnId}`));
const whole = [
  first,
  'a',
  'steered',
  'b',
  `end ${first}`,
  'in the terminal',
  'c',
  second,
  'd',
  `end ${second}`,
];

describe('the ends of turns', () => {
  it('are before the next prompt, or at the end [code.messages.cost-kept]', () => {
    expect(shown(withTurns(lines, turns, true))).toEqual(whole);
  });

  it('are on one page, wherever it begins [code.messages.cost-kept]', () => {
    // Between a turn in a terminal and the next one here, both pages have the end, and the client takes one of them.
    const ambiguous = lines.findIndex(({ event }) => event.type === 'frame' && event.uuid === second);
    for (const at of lines.keys()) {
      if (at === ambiguous) continue;
      const pages = [
        ...withTurns(lines.slice(0, at), turns, false),
        ...withTurns(lines.slice(at), turns, true),
      ];
      expect(shown(pages)).toEqual(whole);
    }
  });

  it('come with the author of the prompt, even for a turn that still runs [team.share.author]', () => {
    const running: Turn = { ...turn(second, 49, 60), author: 'petra', status: 'running' };
    delete running.endedAt;
    const entries = withTurns(lines, [{ ...turn(first, 9, 20), author: 'anna' }, running], true);
    const authors = entries.flatMap(({ author, event }) =>
      author !== undefined && event.type === 'frame' ? [[event.uuid, author]] : [],
    );
    expect(authors).toEqual([
      [first, 'anna'],
      [second, 'petra'],
    ]);
    expect(toTurnEntries(running)).toMatchObject([{ event: { type: 'turn.started', author: 'petra' } }, {}]);
  });

  it('are left out for a turn that still runs', () => {
    const running = { ...turn(second, 49, 60), status: 'running', endedAt: undefined } as unknown as Turn;
    expect(shown(withTurns(lines, [turn(first, 9, 20), running], true))).toEqual(whole.slice(0, -1));
  });
});
