// Fits options to what an old version of the program can do. Leaves out options that are merely convenient, with a
// warning. Refuses to leave out options that the caller relies on, such as a limit.
import { ClaudeCliError } from '../errors.ts';
import type { ClaudeEvent } from '../events/event.ts';
import {
  acceptsForkId,
  type Capabilities,
  hasFlag,
  isTooOld,
  OLDEST_VERSION,
} from '../process/capabilities.ts';
import { flagTable } from './flag-table.ts';
import type { ClaudeOptionKey, ClaudeOptions } from './options.ts';

export interface FittedOptions {
  readonly options: ClaudeOptions;
  readonly warnings: readonly ClaudeEvent[];
}

/** Throws `program_too_old` if the program cannot do what is asked of it. */
export function fitOptions(wanted: ClaudeOptions, able: Capabilities | undefined): FittedOptions {
  if (!able) return { options: wanted, warnings: [] };
  const { version } = able;
  if (isTooOld(version)) {
    throw new ClaudeCliError(
      'program_too_old',
      `This claude is too old: ${version}, needs ${OLDEST_VERSION} or newer. Update it.`,
    );
  }
  const options: ClaudeOptions = { include_partial_messages: true, ...wanted };
  const missing = (Object.keys(options) as ClaudeOptionKey[]).filter(
    (key) => isUsed(options[key]) && !hasFlag(able, flagTable[key].flag),
  );
  const needed = missing.filter((key) => flagTable[key].isOptional !== true);
  if (needed.length > 0) {
    const flags = needed.map(flagOf).join(', ');
    throw new ClaudeCliError(
      'program_too_old',
      `This claude is too old: ${version} has no ${flags}. Update it.`,
    );
  }
  for (const key of missing) delete options[key];
  if (missing.includes('include_partial_messages')) options.include_partial_messages = false;
  // The program then reports the id that it chose.
  if (options.fork_session && !acceptsForkId(able)) delete options.session_id;
  const warnings = missing.map((key): ClaudeEvent => {
    const message = `claude ${version} has no ${flagOf(key)}, so ${key} has no effect.`;
    return { type: 'metadata', kind: 'warning', reason: 'unsupported_option', message };
  });
  return { options, warnings };
}

function isUsed(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '';
}

function flagOf(key: ClaudeOptionKey): string {
  return flagTable[key].flag;
}
