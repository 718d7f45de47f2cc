// The commands that the program offers, and which of them fit what is written.
import { describe, expect, it } from 'vitest';
import { foldFrames } from '../src/code/model/fold-frames.ts';
import { commandsFor } from '../src/code/model/offered-commands.ts';
import { emptyTranscript } from '../src/code/model/transcript.ts';

const start = { type: 'system', subtype: 'init', slash_commands: ['compact', 'review', 'pr-review', '', 7] };
const change = {
  type: 'system',
  subtype: 'commands_changed',
  uuid: 'c',
  commands: [
    { name: 'review', description: 'Reviews a pull request', argumentHint: '<number>' },
    { name: 'compact', description: ' ', argumentHint: '' },
    { description: 'Has no name' },
  ],
};

describe('the commands of the program', () => {
  it('are known by name when it starts, and by what they do when they change', () => {
    const started = foldFrames(emptyTranscript, [start]);
    expect(started.facts.commands.map(({ name }) => name)).toEqual(['compact', 'review', 'pr-review']);
    const changed = foldFrames(started, [change]);
    expect(changed.threads.size).toBe(0);
    expect(changed.facts.commands).toEqual([
      { name: 'review', description: 'Reviews a pull request', hint: '<number>' },
      { name: 'compact', description: undefined, hint: undefined },
    ]);
    const again = foldFrames(changed, [{ ...start, uuid: 'again' }]);
    expect(again.facts.commands.map(({ description }) => description)).toEqual([
      undefined,
      'Reviews a pull request',
      undefined,
    ]);
  });

  it('stay known when the program says nothing of them', () => {
    const started = foldFrames(emptyTranscript, [start]);
    const next = foldFrames(started, [
      { type: 'system', subtype: 'init' },
      { type: 'system', subtype: 'commands_changed' },
    ]);
    expect(next.facts.commands).toEqual(started.facts.commands);
  });
});

describe('a prompt that begins with a slash', () => {
  const { commands } = foldFrames(emptyTranscript, [start]).facts;
  const found = (prompt: string) => commandsFor(prompt, commands).map(({ name }) => name);

  it('fits all commands at first, then those with these letters, the ones that begin so first', () => {
    expect(found('/')).toEqual(['compact', 'review', 'pr-review']);
    expect(found('/RE')).toEqual(['review', 'pr-review']);
    expect(found('/pr-')).toEqual(['pr-review']);
    expect(found('/none')).toEqual([]);
  });

  it('fits none before a slash, behind a name, or in the middle of words', () => {
    for (const prompt of ['', 'review', '/review ', '/review 7', ' /re', 'see /re', '/re\nview'])
      expect(found(prompt)).toEqual([]);
  });
});
