// The text of a post in LinkedIn's "little" format, in which some characters mean something. Pure.

/** Written as it is, such a text would lose characters or mention somebody. Hashtags stay what they are. */
export function toCommentary(text: string): string {
  return text.replaceAll(/[\\|{}@[\]()<>*_~]|#(?![\p{L}\p{N}])/gu, String.raw`\$&`);
}
