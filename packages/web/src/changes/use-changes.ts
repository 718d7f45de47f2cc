// The changes of a session. Ticks show right away, and answers to earlier requests don't undo them.
import type { Changes } from '@parley/client';
import type { ChangedFile, ChangeList, ChangesSince } from '@parley/protocol';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { client } from '../client.ts';
import { useOnChange } from '../ui/use-on-change.ts';

const keyOf = (id: string, since?: ChangesSince) => ['changes', id, ...(since ? [since] : [])];

export function changesQuery(id: string, since: ChangesSince) {
  return queryOptions({
    queryKey: keyOf(id, since),
    queryFn: ({ signal }) => client.changes(id).list(since, signal),
    staleTime: 5_000,
  });
}

/** Refreshes when `refreshKey` changes, because the files may have changed too. */
export function useChanges(id: string, since: ChangesSince, refreshKey: unknown) {
  const queries = useQueryClient();
  const changes: Changes = useMemo(() => client.changes(id), [id]);
  const changing = useMemo(() => ['change', id], [id]);
  const query = useQuery(changesQuery(id, since));
  const refresh = useCallback(async () => {
    // The answer to a pending change brings the new state.
    if (queries.isMutating({ mutationKey: changing }) === 0)
      await queries.invalidateQueries({ queryKey: keyOf(id) });
  }, [queries, id, changing]);
  useOnChange([refreshKey, refresh], () => void refresh());

  const take = (list: ChangeList) => {
    // If another change is pending, this list is already out of date.
    if (queries.isMutating({ mutationKey: changing }) === 1) queries.setQueryData(keyOf(id, 'head'), list);
  };
  const options = {
    mutationKey: changing,
    // One after the other.
    scope: { id: `change-${id}` },
    onError: () => void queries.invalidateQueries({ queryKey: keyOf(id) }),
  };
  const stage = useMutation({
    ...options,
    mutationFn: ({ files, staged }: Ticked) => changes.stage(pathsOf(files), staged),
    onSuccess: take,
  });
  // In React's state, because that updates before the browser renders the box again.
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(none);
  const tick = (files: readonly ChangedFile[], staged: boolean) => {
    setTicked((before) => new Map([...before, ...files.map(({ path }) => [path, staged] as const)]));
    stage.mutate({ files, staged });
  };
  const { isPending } = stage;
  useEffect(() => {
    if (!isPending) setTicked(none);
  }, [isPending]);
  const list = useMemo(() => query.data && withTicked(query.data, ticked), [query.data, ticked]);
  const discard = async (files: readonly ChangedFile[]) => {
    await changes.discard(pathsOf(files));
    await queries.invalidateQueries({ queryKey: keyOf(id) });
  };
  const commit = useMutation({
    ...options,
    mutationFn: (message: string) => changes.commit(message),
    onSuccess: () => void queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
  return { query, list, changes, refresh, tick, tickError: stage.error, discard, commit };
}

interface Ticked {
  readonly files: readonly ChangedFile[];
  readonly staged: boolean;
}

const none: ReadonlyMap<string, boolean> = new Map();

function withTicked(list: ChangeList, ticked: ReadonlyMap<string, boolean>): ChangeList {
  if (ticked.size === 0) return list;
  const files = list.files.map((file): ChangedFile => {
    const staged = ticked.get(file.path);
    return staged === undefined ? file : { ...file, staged: staged ? 'yes' : 'no' };
  });
  return { ...list, files };
}

/** To git, a renamed file is two files. */
function pathsOf(files: readonly ChangedFile[]): readonly string[] {
  return files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}
