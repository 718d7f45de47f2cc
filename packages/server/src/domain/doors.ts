// What the core has to know about doors.

/** Doors whose clients get one answer to one request: nobody there can settle a permission meanwhile. */
const doorsWithoutQuestions: ReadonlySet<string> = new Set(['http']);

/** The names under which turns come in. A bot of a name of its own must take another. */
export const doorNames: ReadonlySet<string> = new Set(['http', 'web', 'websocket', 'telegram', 'discord']);

export function canAskThrough(door: string): boolean {
  return !doorsWithoutQuestions.has(door);
}
