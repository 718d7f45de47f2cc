// Bots act for a person whom the configuration names, with that person's rights only. What a group can open is tested
// in dialogue.test.ts.
import type { SentMessage } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../src/domain/accounts.ts';
import { createPeople, type PeopleDirectory } from '../../src/domain/people.ts';
import { SteppedEngine } from '../doors/bots/harness.ts';
import { ask, type BotOptions, startBot } from '../doors/bots/telegram/harness.ts';

function team(...accounts: readonly Partial<Account>[]): PeopleDirectory {
  const people = createPeople(['sebastian', 'petra']);
  const full = accounts.map((one) => ({
    person: 'petra',
    role: 'member' as const,
    assistants: [],
    createdAt: 1,
    ...one,
  }));
  people.update({ accounts: full });
  return people;
}

async function answerOf(options: BotOptions, text = 'hello'): Promise<SentMessage['text']> {
  return (await ask(await startBot(options), text)).text;
}

const guest = { role: 'guest', assistants: ['kitchen'] } as const;

describe('a bot of somebody with an account', () => {
  it.each([
    ['kitchen', 'You said: hello'],
    ['notes', 'You may not use this assistant.'],
  ])('has only the rights of a guest: %s [team.access.bots]', async (assistant, says) => {
    const engine = new SteppedEngine('messages-api');
    const settings = { engine: 'messages-api', assistant } as const;
    expect(await answerOf({ engine, settings, people: team(guest) })).toContain(says);
  });

  it('never starts Claude Code for a guest [team.access.bots]', async () => {
    const engine = new SteppedEngine();
    expect(await answerOf({ engine, people: team(guest) })).toContain('You may not use this assistant.');
    expect(engine.turns).toEqual([]);
  });

  it('refuses everything while the account is disabled, even what it answered before [team.access.bots]', async () => {
    const people = team({ role: 'member' });
    const engine = new SteppedEngine();
    const bot = await startBot({ people, engine });
    expect((await ask(bot, 'hello')).text).toBe('You said: hello');
    people.update({
      accounts: [{ person: 'petra', role: 'member', assistants: [], createdAt: 1, disabledAt: 2 }],
    });
    for (const text of ['hello again', '/sessions', '/status', '/new'])
      expect((await ask(bot, text)).text).toContain('has no access at the moment');
    expect(engine.turns).toHaveLength(1);
  });

  it('does not act for the person by default, only if the configuration names them [team.access.bots]', async () => {
    const people = team({ role: 'owner' });
    const unnamed = { isPersonNamed: false };
    expect(await answerOf({ people, settings: unnamed })).toContain('not set up for a person yet');
    expect(await answerOf({ people, settings: { ...unnamed, people: { '1001': 'petra' } } })).toBe(
      'You said: hello',
    );
    expect(await answerOf({ people, settings: { isPersonNamed: true } })).toBe('You said: hello');
    // Without accounts, the bot of a household acts for the first person.
    expect(await answerOf({ people: team(), settings: unnamed })).toBe('You said: hello');
  });

  it('asks members before the program acts, even if it is set to full [team.access.bypass]', async () => {
    const modeFor = async (role: Account['role']) => {
      const engine = new SteppedEngine();
      await answerOf({ engine, people: team({ role }), settings: { permissionMode: 'full' } });
      return engine.turns[0]?.session.settings;
    };
    expect(await modeFor('member')).toMatchObject({ permissionMode: 'default' });
    expect(await modeFor('owner')).toMatchObject({ permissionMode: 'bypassPermissions' });
  });
});
