// The session that a page shows. One store for as long as the page is on screen.
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type SessionSnapshot, SessionStore } from '../connection/session-store.ts';
import { takeFirstPrompt } from './first-prompt.ts';

export function useSessionStore(id: string): SessionStore | undefined {
  const [store, setStore] = useState<SessionStore>();
  useEffect(() => {
    const opened = new SessionStore(id);
    setStore(opened);
    const words = takeFirstPrompt(id);
    if (words !== undefined) opened.prompt(words);
    return () => opened.close();
  }, [id]);
  return store;
}

export function useSnapshot(store: SessionStore): SessionSnapshot {
  return useSyncExternalStore(store.subscribe, store.read);
}
