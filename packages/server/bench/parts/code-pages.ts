// Pages of Claude Code sessions for the benchmark: a plain WebSocket each, and the call that creates a session.
import { WebSocket } from 'ws';
import { apiKey } from './processes.ts';

export interface Page {
  readonly socket: WebSocket;
  /** Called with every message that arrives. */
  onMessage: (text: string) => void;
  prompt(content: string): void;
  close(): void;
}

const headersOf = (person: string) => ({ 'x-api-key': apiKey, 'x-notes-person': person });
const owner = 'bench';

export async function newSession(
  url: string,
  workingDir: string,
  { person = owner, mode }: { readonly person?: string; readonly mode?: 'cli' } = {},
): Promise<string> {
  const response = await fetch(`${url}/api/claude/sessions`, {
    method: 'POST',
    headers: { ...headersOf(person), 'content-type': 'application/json' },
    body: JSON.stringify({ workingDir, ...(mode && { mode }) }),
  });
  if (response.status !== 201) throw new Error(`failed to create a session: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** Resolves when its process has ended too. */
export async function deleteSession(url: string, id: string, person = owner): Promise<void> {
  const response = await fetch(`${url}/api/claude/sessions/${id}`, {
    method: 'DELETE',
    headers: headersOf(person),
  });
  if (!response.ok) throw new Error(`failed to delete a session: ${await response.text()}`);
}

/** Resolves when the first message arrives. */
export function openPage(url: string, id: string, person = owner): Promise<Page> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/claude/sessions/${id}/ws`, {
      headers: headersOf(person),
      perMessageDeflate: false,
    });
    const page: Page = {
      socket,
      onMessage: () => undefined,
      prompt: (content) => socket.send(JSON.stringify({ type: 'text', content })),
      close: () => socket.terminate(),
    };
    socket.once('message', () => {
      socket.on('message', (data) => page.onMessage((data as Buffer).toString()));
      resolve(page);
    });
    socket.once('error', reject);
  });
}

/** The `claude` program's own screen. */
export function openTerminal(url: string, id: string, person: string): WebSocket {
  const address = `${url.replace('http', 'ws')}/api/claude/sessions/${id}/terminal`;
  return new WebSocket(address, { headers: headersOf(person) });
}

/** How long a request takes, and the answer. */
export async function timed(url: string): Promise<{ readonly ms: number; readonly body: unknown }> {
  const start = performance.now();
  const response = await fetch(url, { headers: headersOf(owner) });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { ms: performance.now() - start, body };
}

/** Resolves to the milliseconds from now to the first message that contains the word. */
export function until(page: Page, word: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    page.onMessage = (text) => {
      if (text.includes(word)) resolve(performance.now() - start);
    };
  });
}

/** Resolves at the end of the turn to the milliseconds from now to its first word. One message may carry both. */
export function firstWord(page: Page): Promise<number> {
  const start = performance.now();
  let first: number | undefined;
  return new Promise((resolve) => {
    page.onMessage = (text) => {
      if (text.includes('"text_delta"')) first ??= performance.now() - start;
      if (first !== undefined && text.includes('"running":null')) resolve(first);
    };
  });
}
