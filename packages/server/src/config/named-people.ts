// Settings that may name anybody: the people of the configuration, and people who accepted an invitation. The
// configuration doesn't know the latter, so an unknown name is not an error; the doctor reports it.
import type { PersonName } from '@parley/protocol';
import type { Config } from './schema.ts';

export interface NamedPerson {
  readonly key: string;
  readonly person: PersonName;
}

export function namedPeople({ claude, channels, workRoots }: Config): readonly NamedPerson[] {
  const named: readonly [key: string, people: readonly (PersonName | undefined)[]][] = [
    ['claude.terminalPeople', claude.terminalPeople ?? []],
    ['channels.person', [channels.person]],
    ['channels.people', Object.values(channels.people)],
    ['channels.more', channels.more.map(({ person }) => person)],
    ['workRoots', workRoots.flatMap(({ people = [] }) => people)],
  ];
  return named.flatMap(([key, people]) =>
    [...new Set(people)].flatMap((person) => (person === undefined ? [] : [{ key, person }])),
  );
}
