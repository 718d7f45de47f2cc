// Makes a log line safe for the support report. Keeps the fields that Parley fills itself. Leaves out all others,
// and error messages, because they can quote what somebody wrote. The stack frames of an error say as much.
import { isRecord } from '../basics/is-record.ts';

const kept = [
  'time',
  'level',
  'msg',
  'check',
  'door',
  'engine',
  'outcome',
  'error',
  'event',
  'tokens',
  'costUsd',
  'durationMs',
  'firstTokenMs',
  'waitMs',
  'graceMs',
  'version',
  'demo',
] as const;

const maxFrames = 8;
/** Such as `    at startApp (file:///srv/parley/app.ts:10:3)`. */
const frame =
  /^ {4}at (?:[\w$.<> [\]]{1,120} \()?((?:file|node):[^\s()]{1,300}|\/[^\s()]{1,300}):\d+:\d+\)?$/;

/** Applies `mask` to every text that stays. Returns undefined for a line that isn't JSON. */
export function harmlessLine(
  json: string,
  mask: (text: string) => string,
): Record<string, unknown> | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(entry)) return undefined;
  const line: Record<string, unknown> = {};
  for (const name of kept) {
    const value = entry[name];
    if (typeof value === 'string') line[name] = mask(value);
    if (typeof value === 'number' || typeof value === 'boolean') line[name] = value;
  }
  if (isRecord(entry['err'])) line['err'] = harmlessError(entry['err'], mask);
  return line;
}

function harmlessError(
  { type, code, stack, message }: Readonly<Record<string, unknown>>,
  mask: (text: string) => string,
): object {
  const text = typeof stack === 'string' ? stack : '';
  // The stack begins with the message, which could itself look like a stack.
  const after = typeof message === 'string' ? text.indexOf(message) + message.length : 0;
  const frames = text
    .slice(after)
    .split('\n')
    .filter((one) => frame.test(one));
  return {
    ...(isName(type) && { type }),
    ...(isName(code) && { code }),
    at: frames.slice(0, maxFrames).map((one) => mask(one.trim().slice('at '.length))),
  };
}

/** Such as `TypeError` or `ENOENT`. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}
