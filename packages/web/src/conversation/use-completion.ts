// Completes the slash command at the start of a message: which commands match, which one is selected, and the keys.
import type { OfferedCommand } from '@parley/protocol';
import { type KeyboardEvent, useState } from 'react';
import { nextOption } from '../ui/option-list.tsx';

export interface Completion {
  /** Empty while there is nothing to complete. */
  readonly found: readonly OfferedCommand[];
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly take: (command: OfferedCommand) => void;
  /** The person changed the text. */
  readonly onWritten: (text: string) => void;
  /** True if the list handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
}

export function useCompletion(
  text: string,
  commands: readonly OfferedCommand[],
  write: (text: string) => void,
): Completion {
  const [chosen, choose] = useState(0);
  /** The text at which the list was closed. It stays closed while more is written after it. */
  const [closedAt, setClosedAt] = useState<string>();
  const found = closedAt === undefined ? commandsFor(text, commands) : [];

  const take = ({ name }: OfferedCommand) => write(`/${name} `);
  const close = () => setClosedAt(text);
  const onWritten = (written: string) => {
    choose(0);
    if (closedAt !== undefined && (closedAt === '' || !written.startsWith(closedAt))) setClosedAt(undefined);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const command = found[chosen];
    if (!command || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const next = nextOption(event.key, chosen, found.length);
    if (next !== undefined) choose(next);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') take(command);
    // A complete name is sent instead.
    else if (event.key === 'Enter' && text !== `/${command.name}`) take(command);
    else return false;
    event.preventDefault();
    return true;
  };
  return { found, chosen, choose, take, onWritten, onKey, close };
}

/** Commands that the text may be about to name: first those that start with it, then those that contain it. */
export function commandsFor(text: string, commands: readonly OfferedCommand[]): readonly OfferedCommand[] {
  if (!/^\/\S*$/.test(text)) return [];
  const wanted = text.slice(1).toLowerCase();
  const found = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  const startsSo = ({ name }: OfferedCommand) => name.toLowerCase().startsWith(wanted);
  return [...found.filter(startsSo), ...found.filter((command) => !startsSo(command))];
}
