// Recognizes a block of Markdown that is nothing but fenced code. Parsing a long one as Markdown again with every added
// piece would take longer than rendering it.

export interface FencedCode {
  readonly language: string;
  readonly code: string;
  /** False while it is being written. */
  readonly isComplete: boolean;
}

const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[^`\n]*(?:\n|$)/;

export function fencedCode(block: string): FencedCode | undefined {
  const [line, fence = '', language = ''] = opening.exec(block) ?? [];
  if (line === undefined) return undefined;
  const rest = block.slice(line.length);
  const closing = new RegExp(`^ {0,3}${fence}${fence.charAt(0)}*[ \\t]*$`, 'm').exec(rest);
  if (!closing) return { language, code: withoutHalfFence(rest, fence), isComplete: false };
  const after = rest.slice(closing.index + closing[0].length);
  if (after.trim() !== '') return undefined;
  return { language, code: withoutLastBreaks(rest.slice(0, closing.index)), isComplete: true };
}

/** The first characters of the closing fence aren't code. */
function withoutHalfFence(code: string, fence: string): string {
  const start = code.lastIndexOf('\n') + 1;
  const last = code.slice(start);
  return withoutLastBreaks(last !== '' && fence.startsWith(last) ? code.slice(0, start) : code);
}

export function withoutLastBreaks(code: string): string {
  let end = code.length;
  while (code[end - 1] === '\n') end -= 1;
  return code.slice(0, end);
}
