// Saves settings. Each change names the revision it is based on, so nobody overwrites another person's change by
// accident.
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
  /** Saves anyway. */
  readonly overwrite: () => void;
  readonly reset: () => void;
}

/** Makes all changes or none. */
export function useSaveSettings(): (changes: readonly SettingChange[]) => Promise<void> {
  const queries = useQueryClient();
  return async (changes) => {
    try {
      const view = await send<SettingsView>('PATCH', '/api/settings', { changes });
      queries.setQueryData(settingsQuery.queryKey, view);
      // Refreshes the states, lists and choices that depend on the settings.
      void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'me' });
    } catch (error) {
      await queries.invalidateQueries({ queryKey: settingsQuery.queryKey });
      throw error;
    }
  };
}

export function useSaving(onSaved: () => void): Saving {
  const { data: now } = useQuery(settingsQuery);
  const change = useSaveSettings();
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

/** Everything that is wrong, if the server refused values. */
export function problemsIn(error: unknown): readonly SettingProblem[] {
  return (error as { body?: { problems?: readonly SettingProblem[] } } | null)?.body?.problems ?? [];
}

/** Null removes what the app has stored. */
export function changesOn(view: SettingsView, values: Fields): SettingChange[] {
  return Object.entries(values).map(([key, value]) => ({ key, value, revision: revisionOf(view, key) }));
}
