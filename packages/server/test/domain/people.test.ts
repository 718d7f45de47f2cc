import { Right, Role } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { createAccess } from '../../src/domain/access.ts';
import type { Account } from '../../src/domain/accounts.ts';
import { createPeople } from '../../src/domain/people.ts';
import { rightsOf } from '../../src/domain/roles.ts';

const noShares = {
  levelOf: () => undefined,
  sharedWith: () => [],
  participants: () => [],
  onChange: () => () => undefined,
};

const account = (person: string, fields: Partial<Account> = {}): Account => ({
  person,
  role: 'member',
  assistants: [],
  createdAt: 1,
  ...fields,
});

describe('the roles', () => {
  it('are what the table says [team.role.table]', () => {
    const table = Object.fromEntries(Role.options.map((role) => [role, rightsOf(role, true)]));
    expect(table).toEqual({
      owner: Right.options,
      member: ['all-assistants', 'claude-code', 'terminal', 'trust-folders', 'share-links'],
      guest: [],
    });
  });

  it('start programs only with an account [team.settings.programs]', () => {
    const people = createPeople(['petra', 'sebastian']);
    expect([people.may('petra', 'settings'), people.may('petra', 'programs')]).toEqual([true, false]);
    people.update({ accounts: [account('petra', { role: 'owner' })] });
    expect([people.may('petra', 'programs'), people.may('sebastian', 'programs')]).toEqual([true, false]);
  });
});

describe('the directory of people', () => {
  it('lists those of the configuration first, then those with accounts, and nobody twice', () => {
    const people = createPeople(['petra', 'sebastian']);
    people.update({ accounts: [account('mia'), account('petra')] });
    expect(people.list()).toEqual(['petra', 'sebastian', 'mia']);
    expect(people.list().map((person) => people.hasAccount(person))).toEqual([true, false, true]);
  });

  it('makes everybody an owner until an owner has an account', () => {
    const people = createPeople(['petra', 'sebastian']);
    people.update({ accounts: [account('petra')] });
    expect([people.roleOf('petra'), people.roleOf('sebastian')]).toEqual(['member', 'owner']);
    people.update({ accounts: [account('petra', { role: 'owner' })] });
    expect([people.roleOf('petra'), people.roleOf('sebastian')]).toEqual(['owner', 'member']);
    people.update({ accounts: [account('petra', { role: 'owner', disabledAt: 2 })] });
    expect(people.roleOf('sebastian')).toBe('owner');
  });

  it('gives a stranger no rights', () => {
    const people = createPeople(['petra']);
    expect(people.roleOf('mallory')).toBe('guest');
    expect(people.may('mallory', 'claude-code')).toBe(false);
  });

  it('lets guests use the assistants of their accounts only', () => {
    const people = createPeople(['petra']);
    people.update({ accounts: [account('mia', { role: 'guest', assistants: ['kitchen'] })] });
    const access = createAccess(people, noShares);
    const notes = { engine: 'messages-api', assistant: 'notes' } as const;
    const kitchen = { ...notes, assistant: 'kitchen' };
    const code = { engine: 'claude-code', assistant: 'claude-code' } as const;
    const allowed = (person: string) => [kitchen, notes, code].map((one) => access.mayUse(person, one));
    expect(allowed('mia')).toEqual([true, false, false]);
    expect(allowed('petra')).toEqual([true, true, true]);
    expect(allowed('mallory')).toEqual([false, false, false]);
  });

  it('leaves out people who are disabled, whose accounts still count', () => {
    const people = createPeople(['petra']);
    people.update({ accounts: [account('petra', { disabledAt: 2 })] });
    expect([people.list(), people.has('petra'), people.hasAccount('petra')]).toEqual([[], false, true]);
  });

  it('tells listeners about every change until they stop listening', () => {
    const people = createPeople(['petra']);
    let changes = 0;
    const stop = people.onChange(() => {
      changes += 1;
    });
    people.update({ accounts: [] });
    people.update({ configured: ['mia'] });
    stop();
    people.update({ configured: ['petra'] });
    expect([changes, people.list()]).toEqual([2, ['petra']]);
  });
});
