// Asks all sources at once and shows what has arrived. A new query cancels the previous one, whose results stay until
// there are new ones.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useHere } from '../app/me.tsx';
import { type Entry, type SourceName, sources } from './sources.ts';

export type Found = Readonly<Partial<Record<SourceName, readonly Entry[]>>>;

const whenEmpty: readonly SourceName[] = ['recent'];
const whenTyped: readonly SourceName[] = ['conversations', 'sessions', 'recipes', 'files', 'messages'];
/** Waits this long for the next letter before it searches. */
const pauseMs = 60;

export function useFound(query: string): { readonly found: Found; readonly isSearching: boolean } {
  const queries = useQueryClient();
  const [at] = useLocation();
  const { rights } = useHere();
  const mayCode = rights.includes('claude-code');
  const [found, setFound] = useState<Found>({});
  const [isSearching, setSearching] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const names = query === '' ? whenEmpty : whenTyped;
    const ask = async (name: SourceName) => {
      // If this person can't search a source, it has no results.
      const entries = await sources[name](query, { queries, at, mayCode }, signal).catch(() => []);
      if (!signal.aborted) setFound((before) => ({ ...before, [name]: entries }));
    };
    setFound((before) =>
      Object.fromEntries(names.flatMap((name) => (before[name] ? [[name, before[name]]] : []))),
    );
    setSearching(true);
    const timer = setTimeout(
      () => void Promise.all(names.map(ask)).then(() => !signal.aborted && setSearching(false)),
      query === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
      void queries.cancelQueries({ queryKey: ['palette', 'code', query] });
    };
  }, [query, queries, at, mayCode]);
  return { found, isSearching };
}
