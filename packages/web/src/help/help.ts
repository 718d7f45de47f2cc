// Which part of the help is open. Menus, the palette and the first steps open one.
import { ObservableValue } from '@parley/client';
import { useSyncExternalStore } from 'react';

export type HelpPart = 'keys' | 'tour' | 'report';

const open = new ObservableValue<HelpPart | undefined>(undefined);

export function openHelp(part: HelpPart): void {
  open.set(part);
}

export function closeHelp(): void {
  open.set(undefined);
}

export function useOpenHelp(): HelpPart | undefined {
  return useSyncExternalStore(open.subscribe, open.snapshot);
}
