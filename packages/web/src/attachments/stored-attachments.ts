// Stores the attachments of drafts in IndexedDB, so that they survive a reload as the text does. A browser without
// IndexedDB keeps them while the page is open.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Attachment } from './attachment.ts';

const table = 'draft-attachments';
/** The oldest ones are dropped first. */
const maxDrafts = 20;
const none: readonly Attachment[] = [];

interface Stored {
  readonly name: string;
  readonly at: number;
  readonly attachments: readonly Attachment[];
}

type Change = (before: readonly Attachment[]) => readonly Attachment[];

/** One list per name. */
export function useStoredAttachments(
  name: string,
): readonly [readonly Attachment[], (change: Change) => void] {
  const [attachments, setAttachments] = useState(none);
  const now = useRef(none);
  const isTouched = useRef(false);
  const change = useCallback(
    (make: Change) => {
      const after = make(now.current);
      if (after === now.current) return;
      isTouched.current = true;
      now.current = after;
      setAttachments(after);
      storeAttachments(name, after);
    },
    [name],
  );
  useEffect(() => {
    let isGone = false;
    void load(name).then((found) => {
      if (isGone || isTouched.current || found.length === 0) return;
      now.current = found;
      setAttachments(found);
    });
    return () => {
      isGone = true;
    };
  }, [name]);
  return [attachments, change];
}

/** For a draft that is not on the page. */
export function storeAttachments(name: string, attachments: readonly Attachment[]): void {
  void inTable('readwrite', (rows) => {
    const request =
      attachments.length === 0
        ? rows.delete(name)
        : rows.put({ name, at: Date.now(), attachments } satisfies Stored);
    // Otherwise the browser drops the change if somebody leaves the page right away.
    rows.transaction.commit();
    return request;
  });
  if (attachments.length > 0) void inTable('readwrite', dropOldest);
}

async function load(name: string): Promise<readonly Attachment[]> {
  const found = (await inTable('readonly', (rows) => rows.get(name))) as Stored | undefined;
  return found?.attachments ?? none;
}

function dropOldest(rows: IDBObjectStore): IDBRequest {
  const names = rows.index('at').getAllKeys();
  names.addEventListener('success', () => {
    for (const name of names.result.slice(0, -maxDrafts)) rows.delete(name);
  });
  return names;
}

/** Undefined if the browser has no IndexedDB, or no room in it. */
async function inTable(
  mode: IDBTransactionMode,
  use: (rows: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  try {
    const database = await opened();
    return await result(use(database.transaction(table, mode).objectStore(table)));
  } catch {
    return undefined;
  }
}

let opening: Promise<IDBDatabase> | undefined;

function opened(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('parley-drafts', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(table, { keyPath: 'name' }).createIndex('at', 'at');
    });
    result(request).then(resolve, reject);
  });
  return opening;
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The request failed.')));
  });
}
