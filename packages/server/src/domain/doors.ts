// What the core has to know about doors.

/** Doors whose clients get one answer to one request: nobody there can settle a permission meanwhile. */
const doorsWithoutQuestions: ReadonlySet<string> = new Set(['http']);

export function canAskThrough(door: string): boolean {
  return !doorsWithoutQuestions.has(door);
}
