// Turns a JSON log line into a short line for a person: time, level, message, fields.

/** Returns lines that are not JSON unchanged. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, err, ...fields } = entry;
  const clock = String(time).slice(11, 19);
  const rest = Object.entries(fields).map(([name, value]) => clean(`${name}=${valueText(value)}`));
  return (
    [clock, String(level).padEnd(5), clean(typeof msg === 'string' ? msg : ''), ...rest].join(' ') +
    errorText(err) +
    '\n'
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}

function errorText(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack, message } = err as { stack?: unknown; message?: unknown };
  return `\n  ${clean(String(stack ?? message), '\n')}`;
}

/** Removes control characters except `keep`, because a log line must not control the terminal. */
function clean(text: string, keep = ''): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => (keep === character ? character : ' '));
}
