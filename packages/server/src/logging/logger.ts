// The log: one JSON object per line on stdout, or short lines for a person at a terminal. Removes secrets twice: by the
// name of the field, and by their value wherever it appears.
import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Short lines instead of JSON. */
  readonly pretty?: boolean;
  /** Values that must never appear in the log. */
  readonly secrets?: readonly string[];
  /** Receives the lines; stdout by default. */
  readonly write?: (line: string) => void;
}

const redacted = '[redacted]';
const secretFields = [
  'authorization',
  'cookie',
  'apiKey',
  'password',
  'token',
  'secret',
  'x-api-key',
  'set-cookie',
];

export function createLogger(options: LogOptions): PinoLogger {
  const { level, pretty = false, write = (line) => void process.stdout.write(line) } = options;
  const scrub = scrubber(options.secrets ?? []);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap(withParents), censor: redacted },
    },
    { write: (line) => write(scrub(pretty ? prettyLine(line) : line)) },
  );
}

/** The field at the top level and up to two levels down. */
function withParents(field: string): readonly string[] {
  return [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`];
}

// Removing a very short value would damage unrelated text.
const shortestScrubbed = 6;

/** Returns a function that replaces these values, both plain and escaped as in JSON. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= shortestScrubbed)
    .flatMap((secret) => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])]);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, redacted), text);
}
