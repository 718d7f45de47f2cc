// The log: one JSON object per line on stdout, or short lines for a person at a terminal. Removes secrets twice: by the
// name of the field, and by their value wherever it appears.
import type { LogLevel } from '@parley/protocol';
import { type Logger as PinoLogger, pino } from 'pino';
import type { LogControl } from '../domain/support.ts';
import { prettyLine } from './pretty-line.ts';

export interface LogOptions {
  readonly level: LogLevel;
  /** Short lines instead of JSON. */
  readonly pretty?: boolean;
  /** What must never appear in the log. */
  readonly secrets?: readonly string[] | KnownSecrets;
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

/** Its level can change while the server runs, and applies to all its children. */
export interface ServerLogger extends PinoLogger {
  readonly control: LogControl;
  /** Sets the level that the settings say. */
  setLevel(level: LogLevel): void;
}

export function createLogger(options: LogOptions): ServerLogger {
  const { level, pretty = false, write = (line) => void process.stdout.write(line) } = options;
  const { secrets = [] } = options;
  const known = secrets instanceof KnownSecrets ? secrets : new KnownSecrets(secrets);
  const children = new Children();
  const recent = new RecentLines();
  const logger = pino(
    {
      level,
      onChild: (child) => children.add(child),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap(withParents), censor: redacted },
    },
    {
      write(line) {
        const safe = known.scrub(line);
        recent.add(safe);
        write(pretty ? known.scrub(prettyLine(line)) : safe);
      },
    },
  );
  let configured = level;
  let forNow: LogLevel | undefined;
  const apply = () => {
    for (const one of [logger, ...children.all()]) one.level = forNow ?? configured;
  };
  return Object.assign(logger, {
    setLevel(changed: LogLevel) {
      configured = changed;
      apply();
    },
    control: {
      levels: () => ({ level: forNow ?? configured, configured }),
      setForNow(changed: LogLevel | undefined) {
        forNow = changed;
        apply();
      },
      recent: () => recent.all(),
    },
  });
}

const keptLines = 300;
const longestKept = 4_000;

/** The newest lines, in a ring buffer. Skips very long ones, because part of a JSON object is useless. */
class RecentLines {
  readonly #lines: string[] = [];
  #next = 0;

  add(line: string): void {
    if (line.length > longestKept) return;
    this.#lines[this.#next] = line;
    this.#next = (this.#next + 1) % keptLines;
  }

  all(): readonly string[] {
    return [...this.#lines.slice(this.#next), ...this.#lines.slice(0, this.#next)];
  }
}

/** The loggers of parts and requests. Each copies the level once, when it is made, so changes have to be passed on. */
class Children {
  readonly #refs = new Set<WeakRef<PinoLogger>>();
  #sweepAt = 1_000;

  add(child: PinoLogger): void {
    this.#refs.add(new WeakRef(child));
    if (this.#refs.size < this.#sweepAt) return;
    this.#sweepAt = Math.max(1_000, 2 * this.all().length);
  }

  all(): readonly PinoLogger[] {
    return [...this.#refs].flatMap((ref) => {
      const child = ref.deref();
      if (!child) this.#refs.delete(ref);
      return child ?? [];
    });
  }
}

/** The field at the top level and up to two levels down. */
function withParents(field: string): readonly string[] {
  return [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`];
}

// Removing a very short value would damage unrelated text.
const shortestScrubbed = 6;

/** Secrets that were replaced stay known for a while, because something may still use them. */
const maxForms = 2_000;

/** Removes secrets from texts. It can learn more of them. */
export class KnownSecrets {
  readonly #forms = new Set<string>();

  constructor(secrets: readonly string[] = []) {
    this.learn(secrets);
  }

  learn(secrets: readonly string[]): void {
    for (const secret of secrets.filter(({ length }) => length >= shortestScrubbed)) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
        this.#forms.delete(form);
        this.#forms.add(form);
      }
    }
    for (const form of this.#forms) {
      if (this.#forms.size <= maxForms) break;
      this.#forms.delete(form);
    }
  }

  /** Replaces every known secret, both plain and escaped as in JSON. */
  scrub(text: string): string {
    let scrubbed = text;
    for (const form of this.#forms) scrubbed = scrubbed.replaceAll(form, redacted);
    return scrubbed;
  }
}
