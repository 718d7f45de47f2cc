// Suggests a commit message.

const longestSubject = 72;

/** The first line of the prompt, or else the title, shortened to fit the subject of a commit. */
export function suggestedMessage(prompt: string | undefined, title: string): string {
  const line = (prompt ?? title).trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= longestSubject) return line;
  const cut = line.slice(0, longestSubject);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 40))}…`;
}
