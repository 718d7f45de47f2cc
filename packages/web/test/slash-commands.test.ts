import { describe, expect, it } from 'vitest';
import { commandsFor } from '../src/conversation/use-completion.ts';

const commands = ['compact', 'review', 'pr-review'].map((name) => ({ name }));
const found = (text: string) => commandsFor(text, commands).map(({ name }) => name);

describe('slash commands', () => {
  it('lists all commands at first, then the matching ones, best matches first', () => {
    expect(found('/')).toEqual(['compact', 'review', 'pr-review']);
    expect(found('/RE')).toEqual(['review', 'pr-review']);
    expect(found('/pr-')).toEqual(['pr-review']);
    expect(found('/none')).toEqual([]);
  });

  it('lists nothing before the slash, after a complete name, or in the middle of a text', () => {
    for (const text of ['', 'review', '/review ', '/review 7', ' /re', 'see /re', '/re\nview'])
      expect(found(text)).toEqual([]);
  });
});
