// Recognizes what the program writes in a person's name: commands and their output, context for the model, interruptions.

const echoTag =
  /^\s*<(?:command-(?:name|message|args|contents)|local-command-(?:caveat|stdout|stderr)|bash-(?:input|stdout|stderr)|system-reminder|user-prompt-submit-hook|task-notification|ide_[a-z_]+)[\s>]/;
const outputTags = ['local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'];

/** Whether a text records a command, its output, or context that the program added: nobody typed it like this. */
export function isEcho(words: string): boolean {
  return echoTag.test(words);
}

export function isInterruption(words: string): boolean {
  return /^\[Request interrupted by user[^\]]*\]$/.test(words.trim());
}

/** Whether the result of a call says that a person stopped it. What it printed until then may be there too. */
export function isStopNote(words: string): boolean {
  return (
    /^The user doesn't want to (?:proceed with this tool use|take this action right now)\b/.test(words) ||
    /^\[Request interrupted by user[^\]]*\]|\[Request interrupted by user[^\]]*\]$/.test(words.trim())
  );
}

/** A command as a person typed it, such as `/model opus` or `! ls`. */
export function commandIn(words: string): string | undefined {
  const name = between(words, 'command-name')?.trim();
  if (name) return `${name} ${between(words, 'command-args') ?? ''}`.trim();
  const shell = between(words, 'bash-input')?.trim();
  return shell ? `! ${shell}` : undefined;
}

export function commandOutputIn(words: string): string | undefined {
  const tag = outputTags.find((one) => words.includes(`<${one}>`));
  return tag && between(words, tag);
}

/** What a background task reports. */
export function taskNotificationIn(
  words: string,
): { readonly summary: string | undefined; readonly result: string | undefined } | undefined {
  if (!words.startsWith('<task-notification>')) return undefined;
  return { summary: between(words, 'summary'), result: between(words, 'result') };
}

/** The text between a tag and its end, or the end of the text. */
function between(words: string, tag: string): string | undefined {
  const start = words.indexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const end = words.indexOf(`</${tag}>`, start);
  return words.slice(start + tag.length + 2, end < 0 ? undefined : end);
}
