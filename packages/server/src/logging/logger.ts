// The log: one JSON object a line on stdout, or short lines for a person at a terminal.
// Secrets are removed twice: by the name of the field, and by their value wherever it turns up.
import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.ts';
import { redacted, scrubber } from './scrub.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Short lines in place of JSON. */
  readonly pretty?: boolean;
  /** Values that never appear in a line, whoever wrote it. */
  readonly secrets?: readonly string[];
  /** Where lines go; stdout when absent. */
  readonly write?: (line: string) => void;
}

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

/** The field at the top of a line, and up to two levels below. */
function withParents(field: string): readonly string[] {
  return [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`];
}
