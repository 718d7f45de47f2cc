// The commands in the palette. Pages add their own while they are shown.
import { useEffect, useMemo } from 'react';
import { createRegistry } from './registry.ts';
import { type Shortcut, useShortcuts } from './shortcuts.ts';

export interface Command {
  readonly name: string;
  readonly keys?: Shortcut['keys'];
  readonly run: () => void;
}

export const shownCommands = createRegistry<Command>();

/** A command with keys is a shortcut as well. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => shownCommands.add(commands), [commands]);
  useShortcuts(
    useMemo(
      () =>
        commands.flatMap(({ name, keys, ...rest }) =>
          keys === undefined ? [] : [{ keys, does: name, ...rest }],
        ),
      [commands],
    ),
  );
}
