import { noUsage } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { barsByDay, by, total } from '../src/overview/usage.ts';

const line = (day: string, person: string, model: string, costUsd: number) => ({
  day,
  person,
  model,
  engine: 'messages-api' as const,
  turns: 1,
  usage: { ...noUsage, inputTokens: 10, costUsd },
});
const lines = [
  line('2026-11-13', 'petra', 'sonnet', 0.5),
  line('2026-11-15', 'petra', 'sonnet', 0.25),
  line('2026-11-15', 'sebastian', 'haiku', 0.01),
];

describe('the overview', () => {
  it('shows every day, also those without turns', () => {
    const bars = barsByDay(lines, 4, new Date('2026-11-15T20:00:00Z'));
    expect(bars.map(({ label, turns }) => [label, turns])).toEqual([
      ['2026-11-12', 0],
      ['2026-11-13', 1],
      ['2026-11-14', 0],
      ['2026-11-15', 2],
    ]);
  });

  it('adds up by model and by person, the most expensive first', () => {
    expect(by('model', lines).map(({ label, costUsd }) => [label, costUsd])).toEqual([
      ['sonnet', 0.75],
      ['haiku', 0.01],
    ]);
    expect(by('person', lines).map(({ label, turns }) => [label, turns])).toEqual([
      ['petra', 2],
      ['sebastian', 1],
    ]);
    expect(total(lines)).toMatchObject({ turns: 3, tokens: 30 });
  });
});
