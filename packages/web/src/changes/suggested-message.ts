// A message for a commit, from what somebody asked for.

const longestSubject = 72;

/** The first line of what somebody asked for, as far as it fits into the subject of a commit. */
export function suggestedMessage(prompt: string | undefined, title: string): string {
  const line = (prompt ?? title).trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= longestSubject) return line;
  const cut = line.slice(0, longestSubject);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 40))}…`;
}
