// The members of the household, and where their notes are.
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { setting } from '../setting.ts';

export const people = {
  people: setting(z.array(PersonName).min(1).refine(unique, 'expected unique names').optional(), {
    env: 'PARLEY_PEOPLE',
    form: 'list',
    fallback: '`me`; in demo mode `sebastian` and `petra`',
    meaning: 'The names of the people who use this server.',
    hint: 'Use short lowercase names, such as sebastian,petra.',
  }),
  vaultRoot: setting(z.string().min(1).optional(), {
    env: 'PARLEY_VAULT_ROOT',
    form: 'path',
    fallback: '`~/notes`; in demo mode `demo/notes` in `home`',
    meaning: "The folder with one vault per person: a person's notes are in `{vaultRoot}/{person}`.",
  }),
};

function unique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
