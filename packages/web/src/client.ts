// The page's only client: every request and the live connection go through it.
import { createClient, pageEnvironment } from '@parley/client';
import { waitingPrompts } from './waiting-prompts.ts';

let person: string | undefined;

/**
 * From now on the page acts for this person, until it reloads. The login may switch to somebody else in the
 * meantime, in this tab or another, but what is on the screen still belongs to this person.
 */
export function actFor(name: string): void {
  if (person === name) return;
  person = name;
  client.sendStored();
}

let isReplacingLogin = false;

/**
 * Runs a request whose answer brings a new login. Before it answers, the server closes the old login's connections; if
 * that reloaded the page, the answer would be lost. Then goes to a path of the app, so the promise never resolves.
 */
export async function replaceLogin(change: () => Promise<unknown>, next: string): Promise<never> {
  isReplacingLogin = true;
  try {
    await change();
  } catch (error) {
    isReplacingLogin = false;
    throw error;
  }
  location.assign(address(next));
  return new Promise(() => undefined);
}

export const client = createClient({
  // The app may be served below a sub-path.
  baseUrl: document.baseURI,
  // The server then shows its login form, which leads back to this page.
  onUnauthorized: () => {
    if (!isReplacingLogin) location.reload();
  },
  environment: pageEnvironment(window),
  person: () => person,
  storage: waitingPrompts(() => person),
});

export const { address, personalAddress, request, get, send } = client;
