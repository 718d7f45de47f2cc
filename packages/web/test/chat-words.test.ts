// Texts of the chat: what tools do, how long it took, and the day a conversation is listed under.
import { describe, expect, it } from 'vitest';
import { toolWords } from '../src/chat/tool-words.ts';
import { seconds } from '../src/conversation/times.ts';
import { byDay } from '../src/session-list/groups.ts';

describe('the words for a tool', () => {
  it('say what it does while it runs, and what it did afterwards', () => {
    expect(toolWords('list_recipes', {})).toEqual({
      doing: 'Looking through your recipes',
      done: 'Looked through your recipes',
    });
    expect(toolWords('read_file', { path: 'shopping-list.md' }).doing).toBe('Reading shopping-list.md');
    expect(toolWords('web_fetch', { url: 'https://example.org/a?b' }).done).toBe('Read example.org');
    expect(toolWords('vault2__search_files', { query: 'lemons' }).doing).toBe(
      'Searching your notes for “lemons”',
    );
  });

  it('use its name if the tool is unknown or its input is incomplete', () => {
    expect(toolWords('get_weather', undefined).doing).toBe('Using get weather');
    expect(toolWords('read_file', 'nonsense').doing).toBe('Using read file');
    expect(toolWords('read_file', { path: 'x'.repeat(200) }).doing.length).toBeLessThan(80);
    expect(toolWords('constructor', {}).doing).toBe('Using constructor');
  });
});

describe('conversations by day', () => {
  it('are listed under the day as people name it', () => {
    const now = new Date(2026, 4, 20, 10).getTime();
    const day = 24 * 60 * 60 * 1_000;
    const ages = [0, 1, 3, 12, 100].map((days) => ({ updatedAt: now - days * day }));
    expect(byDay(ages, now).map((group) => group.heading)).toEqual([
      'Today',
      'Yesterday',
      'Last 7 days',
      'Last 30 days',
      'February 2026',
    ]);
  });
});

describe('how long something took', () => {
  it.each([
    [1_240, '1.2 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [150_400, '2 min 30 s'],
  ])('is rounded once: %i ms', (ms, words) => {
    expect(seconds(ms)).toBe(words);
  });
});
