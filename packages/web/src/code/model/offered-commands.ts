// The commands that the program offers. It names them whenever it starts, and says what each does when they change.
import { records, text } from './read.ts';

export interface OfferedCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string | undefined;
  /** What may follow it, such as `<file>`. */
  readonly hint: string | undefined;
}

/** Undefined where there is no list. What was said before of a command still holds. */
export function namedCommands(
  names: unknown,
  known: readonly OfferedCommand[],
): readonly OfferedCommand[] | undefined {
  if (!Array.isArray(names)) return undefined;
  return names.flatMap((name) => {
    if (typeof name !== 'string' || name === '') return [];
    return [known.find((one) => one.name === name) ?? { name, description: undefined, hint: undefined }];
  });
}

export function describedCommands(told: unknown): readonly OfferedCommand[] | undefined {
  if (!Array.isArray(told)) return undefined;
  return records(told).flatMap((one) => {
    const name = words(one['name']);
    if (name === undefined) return [];
    return [{ name, description: words(one['description']), hint: words(one['argumentHint']) }];
  });
}

/** Those that a prompt may be about to name: they begin with what is written, or else have it in their name. */
export function commandsFor(prompt: string, commands: readonly OfferedCommand[]): readonly OfferedCommand[] {
  if (!/^\/\S*$/.test(prompt)) return [];
  const begun = prompt.slice(1).toLowerCase();
  const fits = commands.filter(({ name }) => name.toLowerCase().includes(begun));
  const begins = (command: OfferedCommand) => command.name.toLowerCase().startsWith(begun);
  return [...fits.filter(begins), ...fits.filter((command) => !begins(command))];
}

function words(value: unknown): string | undefined {
  return text(value)?.trim() || undefined;
}
