// Finds text in the whole conversation and steps through the matches. Loads older messages when it gets to them.
import type { Conversation } from '@parley/client';
import type { FoundInSession } from '@parley/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Row, rowKey } from './rows.ts';

export interface Find {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly count: number;
  /** Starts at 1; 0 if nothing was found. */
  readonly place: number;
  readonly truncated: boolean;
  readonly isSearching: boolean;
  readonly go: (step: 1 | -1) => void;
  /** The row that is shown. */
  readonly marked: { readonly key: string } | undefined;
}

type Hit = FoundInSession['hits'][number];

/** Waits this long for the next letter before it searches. */
const pauseMs = 150;
const nothing: FoundInSession = { hits: [], truncated: false };

/** Whether the bar is open, and the text it opened with. Search results link here with their words. */
export function useFindAddress(): [string | undefined, (text: string | undefined) => void] {
  const [query, setQuery] = useSearchParams();
  const set = useCallback(
    (text: string | undefined) =>
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          if (text === undefined) after.delete('find');
          else after.set('find', text);
          return after;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [query.get('find') ?? undefined, set];
}

export function useFind(conversation: Conversation, rows: readonly Row[], start: string): Find {
  const [text, setText] = useState(start);
  const [found, setFound] = useState(nothing);
  const [at, setAt] = useState(-1);
  const [isSearching, setSearching] = useState(false);
  const [marked, setMarked] = useState<Find['marked']>();
  const shown = useRef(rows);
  shown.current = rows;
  const wanted = text.trim();

  useEffect(() => {
    setFound(nothing);
    setAt(-1);
    setMarked(undefined);
    setSearching(wanted !== '');
    if (wanted === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void conversation
        .find(wanted, stop.signal)
        .catch(() => nothing)
        .then((answer) => {
          if (stop.signal.aborted) return;
          setFound(answer);
          setSearching(false);
          // The newest one is closest to where people are.
          setAt(answer.hits.length - 1);
        });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [conversation, wanted]);

  const hit = found.hits[at];
  useEffect(() => {
    if (!hit) return undefined;
    const stop = new AbortController();
    void conversation
      .loadTo(hit.id, stop.signal)
      .catch(() => false)
      .then(() =>
        requestAnimationFrame(() => {
          const row = stop.signal.aborted ? undefined : rowOf(hit, shown.current, wanted);
          if (row) setMarked({ key: rowKey(row) });
        }),
      );
    return () => stop.abort();
  }, [conversation, hit, wanted]);

  const { hits, truncated } = found;
  const go = useCallback(
    (step: 1 | -1) =>
      setAt((before) => (hits.length === 0 ? -1 : (before + step + hits.length) % hits.length)),
    [hits],
  );
  return { text, setText, count: hits.length, place: at + 1, truncated, isSearching, go, marked };
}

/** The row with the text, or else the first one of the message. */
function rowOf({ id, role }: Hit, rows: readonly Row[], wanted: string): Row | undefined {
  const kind = role === 'user' ? 'prompt' : 'text';
  const ofMessage = rows.filter(
    (row) =>
      row.kind === kind &&
      (row.turnId === id ||
        row.key.startsWith(id) ||
        row.frame?.includes(id) === true ||
        isPromptOf(row, id)),
  );
  const text = wanted.toLowerCase();
  return ofMessage.find((row) => 'text' in row && row.text.toLowerCase().includes(text)) ?? ofMessage[0];
}

function isPromptOf(row: Row, id: string): boolean {
  return row.kind === 'prompt' && row.promptId === id;
}
