// Text that somebody has typed and not sent yet. It survives a reload, a new login and a closed tab.
import { useCallback, useState } from 'react';

const prefix = 'parley.draft.';
/** The oldest ones are dropped first. */
const maxTexts = 100;

interface Stored {
  readonly text: string;
  readonly at: number;
}

/** What was typed in answer to a permission. */
export function answerName(permission: string): string {
  return `answer.${permission}`;
}

/** One text per name. An empty text is removed. */
export function useStoredText(name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => read(prefix + name)?.text ?? '');
  const write = useCallback(
    (words: string) => {
      setText(words);
      storeText(name, words);
    },
    [name],
  );
  return [text, write];
}

/** For a field that is not on the page. */
export function storeText(name: string, text: string): void {
  const key = prefix + name;
  if (text === '') {
    localStorage.removeItem(key);
    return;
  }
  const isNew = localStorage.getItem(key) === null;
  try {
    localStorage.setItem(key, JSON.stringify({ text, at: Date.now() } satisfies Stored));
  } catch {
    // The storage is full: the text is still on the page.
  }
  if (isNew) dropOldest();
}

function dropOldest(): void {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  if (keys.length <= maxTexts) return;
  const oldestFirst = keys.toSorted((a, b) => (read(a)?.at ?? 0) - (read(b)?.at ?? 0));
  for (const key of oldestFirst.slice(0, -maxTexts)) localStorage.removeItem(key);
}

function read(key: string): Stored | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Stored | null) ?? undefined;
  } catch {
    return undefined;
  }
}
