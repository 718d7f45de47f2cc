// Limits how much of one message is kept: more than any model writes, but little enough for memory and the database.
// The stream itself passes through in full.

/** In characters. */
export const maxKeptText = 1024 * 1024;

/** `text` with as much of `more` as there is room for. */
export function keptText(text: string, more: string, most: number = maxKeptText): string {
  const room = most - text.length;
  if (more.length <= room) return text + more;
  if (room <= 0) return text;
  // Replace half an emoji with a character that every encoding can represent.
  return text + more.slice(0, room).replace(/[\uD800-\uDBFF]$/, '\uFFFD');
}
