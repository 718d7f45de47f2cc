// Completes the command with which a prompt begins: which fit, which one is chosen, and the keys for it.
import { type KeyboardEvent, useState } from 'react';
import { nextOption } from '../../ui/option-list.tsx';
import { commandsFor, type OfferedCommand } from '../model/offered-commands.ts';

export interface Completion {
  /** None while there is nothing to complete. */
  readonly found: readonly OfferedCommand[];
  readonly chosen: number;
  readonly choose: (at: number) => void;
  readonly take: (command: OfferedCommand) => void;
  /** The prompt was changed by hand. */
  readonly onWritten: (prompt: string) => void;
  /** True for a key that was meant for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
}

export function useCompletion(
  prompt: string,
  commands: readonly OfferedCommand[],
  write: (prompt: string) => void,
): Completion {
  const [chosen, choose] = useState(0);
  /** The list was closed at these words, and stays so while more is written behind them. */
  const [closedAt, setClosedAt] = useState<string>();
  const found = closedAt === undefined ? commandsFor(prompt, commands) : [];

  const take = ({ name }: OfferedCommand) => write(`/${name} `);
  const close = () => setClosedAt(prompt);
  const onWritten = (words: string) => {
    choose(0);
    if (closedAt !== undefined && (closedAt === '' || !words.startsWith(closedAt))) setClosedAt(undefined);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const command = found[chosen];
    if (!command || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const next = nextOption(event.key, chosen, found.length);
    if (next !== undefined) choose(next);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') take(command);
    // A name that is written to its end is sent.
    else if (event.key === 'Enter' && prompt !== `/${command.name}`) take(command);
    else return false;
    event.preventDefault();
    return true;
  };
  return { found, chosen, choose, take, onWritten, onKey, close };
}
