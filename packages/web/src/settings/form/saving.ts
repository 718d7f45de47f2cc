// Saves settings. Each change names the revision it is based on, so nobody overwrites another person's change unseen.
import type { SettingChange, SettingProblem, SettingsView } from '@parley/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../client.ts';
import { type Fields, revisionOf, settingsQuery } from './view.ts';

export interface Saving {
  readonly save: (changes: readonly SettingChange[]) => void;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly problems: readonly SettingProblem[];
  /** What somebody else has changed in the meantime. */
  readonly conflicts: readonly string[];
  /** Saves over it. */
  readonly overwrite: () => void;
  readonly reset: () => void;
}

/** Makes all changes or none. */
export function useChange(): (changes: readonly SettingChange[]) => Promise<void> {
  const queries = useQueryClient();
  return async (changes) => {
    try {
      const view = await send<SettingsView>('PATCH', '/api/settings', { changes });
      queries.setQueryData(settingsQuery.queryKey, view);
      // The states, lists and choices that the settings decide.
      void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'me' });
    } catch (error) {
      await queries.invalidateQueries({ queryKey: settingsQuery.queryKey });
      throw error;
    }
  };
}

export function useSaving(onSaved: () => void): Saving {
  const { data: now } = useQuery(settingsQuery);
  const change = useChange();
  const {
    mutate,
    variables = [],
    error,
    isPending,
    reset,
  } = useMutation({
    mutationFn: change,
    onSuccess: onSaved,
  });
  const conflicts =
    now && (error as { code?: string } | null)?.code === 'conflict'
      ? variables.filter(({ key, revision }) => revisionOf(now, key) !== revision).map(({ key }) => key)
      : [];
  return {
    save: mutate,
    isPending,
    error,
    problems: problemsIn(error),
    conflicts,
    overwrite: () =>
      now && mutate(changesOn(now, Object.fromEntries(variables.map((one) => [one.key, one.value])))),
    reset,
  };
}

/** All that is wrong, if the server has refused values. */
export function problemsIn(error: unknown): readonly SettingProblem[] {
  return (error as { body?: { problems?: readonly SettingProblem[] } } | null)?.body?.problems ?? [];
}

/** Null removes what the app has stored. */
export function changesOn(view: SettingsView, values: Fields): SettingChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, revision: revisionOf(view, key) }));
}

/** What is wrong at a key, and below it unless it is the key of a whole entry. */
export function problemAt(
  problems: readonly SettingProblem[],
  key: string,
  isEntry = false,
): string | undefined {
  const found = problems.filter((problem) => (isEntry ? problem.key === key : isAt(problem, key)));
  if (found.length === 0) return undefined;
  return found.map((problem) => problemText(problem, key)).join(' ');
}

/** Those that none of the fields shows. */
export function otherProblems(
  problems: readonly SettingProblem[],
  fields: readonly string[],
  entry: string | undefined,
) {
  return problems.filter((problem) => problem.key !== entry && !fields.some((key) => isAt(problem, key)));
}

/** Names the part of the value, if it is one. */
export function problemText({ key, message, hint }: SettingProblem, shownAt: string): string {
  const part = key.startsWith(shownAt) ? key.slice(shownAt.length).replace(/^\./, '') : key;
  const sentence = part === '' ? message.charAt(0).toUpperCase() + message.slice(1) : `${part}: ${message}`;
  // Hints of whole collections explain the file.
  return hint.startsWith('Each entry ') ? `${sentence}.` : `${sentence}. ${hint}`;
}

function isAt(problem: SettingProblem, key: string): boolean {
  return problem.key === key || problem.key.startsWith(`${key}.`) || problem.key.startsWith(`${key}[`);
}
