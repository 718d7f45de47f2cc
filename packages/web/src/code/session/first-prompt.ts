// The words with which a new session begins, between the dialog and the session's page. Taken once.
const waiting = new Map<string, string>();

export function setFirstPrompt(session: string, words: string): void {
  waiting.set(session, words);
}

export function takeFirstPrompt(session: string): string | undefined {
  const words = waiting.get(session);
  waiting.delete(session);
  return words;
}
