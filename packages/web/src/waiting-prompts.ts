// Stores messages on their way to the server in the tab's storage, so that they are sent again after a reload, such as
// the one for a new login. Their keys make sure that the server accepts each of them once.
import type { PromptStorage, StoredPrompt } from '@parley/client';

const prefix = 'parley.sent.';

/** Stored per person: somebody else who uses the tab must not send them. */
export function waitingPrompts(person: () => string | undefined): PromptStorage {
  const own = () => `${prefix}${person() ?? ''}.`;
  return {
    sessions: () =>
      Object.keys(sessionStorage).flatMap((key) => (key.startsWith(own()) ? [key.slice(own().length)] : [])),
    load: (session) => {
      try {
        return JSON.parse(sessionStorage.getItem(own() + session) ?? '[]') as StoredPrompt[];
      } catch {
        return [];
      }
    },
    save: (session, prompts) => {
      if (prompts.length === 0) {
        sessionStorage.removeItem(own() + session);
        return;
      }
      try {
        sessionStorage.setItem(own() + session, JSON.stringify(prompts));
      } catch {
        // Too large, because of its pictures. It is still sent while the page is open.
      }
    },
  };
}
