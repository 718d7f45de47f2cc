// What the palette can do. Pages add their own commands while they are shown.
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { createRegistry } from './registry.ts';
import { type Shortcut, useShortcuts } from './shortcuts.ts';

export interface Command {
  readonly name: string;
  readonly keys?: Shortcut['keys'];
  readonly run: () => void;
}

export const shownCommands = createRegistry<Command>();

const palette = preloadable(async () => (await import('../palette/palette.tsx')).Palette);

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

export function CommandPalette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const chosen = useRef<() => void>(undefined);
  // Soon, but not while the page is loading.
  useEffect(() => {
    const timer = setTimeout(() => void palette.preload(), preloadMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('What are you looking for?')}
      wide
      // Runs after the dialog has returned the focus, because the command may move it.
      onClosed={() => {
        chosen.current?.();
        chosen.current = undefined;
      }}
    >
      <Suspense fallback={<Spinner label={t('Loading …')} />}>
        <palette.Part
          onChoose={(run) => {
            chosen.current = run;
            onOpenChange(false);
          }}
        />
      </Suspense>
    </Dialog>
  );
}

const preloadMs = 2_000;
