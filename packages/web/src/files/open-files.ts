// What the panel next to a conversation shows: the tree, or one file at a line.
import { useCallback, useMemo } from 'react';
import { usePanelAddress } from '../ui/side-panel.tsx';

export type PanelTab = 'files' | 'changes';

export interface OpenPanel {
  readonly tab: PanelTab;
  /** Relative to the folder; undefined for the tree. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface PanelControls {
  readonly shown: OpenPanel | undefined;
  readonly show: (tab: PanelTab) => void;
  readonly toggle: () => void;
  readonly openFile: (file: string, line?: number) => void;
  /** The lines that changed in a file. */
  readonly openChange: (file: string) => void;
  /** Back to the tree or the list. */
  readonly closeFile: () => void;
  readonly close: () => void;
}

export function useOpenFiles(): PanelControls {
  const [shown, open] = usePanelAddress('panel', 'file', 'line');
  const tab: PanelTab = shown?.panel === 'changes' ? 'changes' : 'files';
  const file = shown?.file;
  const line = Number(shown?.line) || undefined;
  const isOpen = shown !== undefined;
  const openFile = useCallback(
    (wanted: string, at?: number) =>
      open({ panel: 'files', file: wanted, ...(at !== undefined && { line: String(at) }) }),
    [open],
  );
  return useMemo(
    () => ({
      shown: isOpen ? { tab, file, line } : undefined,
      show: (wanted: PanelTab) => open({ panel: wanted }),
      toggle: () => open(isOpen ? undefined : { panel: 'files' }),
      openFile,
      openChange: (wanted: string) => open({ panel: 'changes', file: wanted }),
      closeFile: () => open({ panel: tab }),
      close: () => open(undefined),
    }),
    [isOpen, tab, file, line, open, openFile],
  );
}
