// What can be done with any message: see it as the program wrote it, copy its words.
import { Braces, Copy, Ellipsis } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { Item } from '../model/items.ts';
import type { Frame } from '../model/read.ts';
import { JsonText } from './json-text.tsx';
import { useTranscript } from './transcript-context.ts';

const ShowRaw = createContext<(frames: readonly Frame[]) => void>(() => undefined);

/** Holds the dialog once for all messages. */
export function RawMessages({ children }: { children: ReactNode }) {
  const [frames, setFrames] = useState<readonly Frame[]>();
  return (
    <ShowRaw value={setFrames}>
      {children}
      <Dialog
        open={frames !== undefined}
        onOpenChange={() => setFrames(undefined)}
        title="As the program wrote it"
        wide
      >
        <div className="grid gap-4">
          {frames?.map((frame, at) => (
            <JsonText key={at} value={frame} />
          ))}
        </div>
      </Dialog>
    </ShowRaw>
  );
}

export function ItemMenu({ item, copy }: { item: Item; copy?: string }) {
  const show = useContext(ShowRaw);
  const { results } = useTranscript();
  const result = item.kind === 'tool' ? results.get(item.id) : undefined;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="Message menu"
          className="grid h-7 w-5 shrink-0 sm:w-7 sm:-right-9 sm:absolute sm:top-0 place-items-center rounded-md text-faint opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-60"
        >
          <Ellipsis size={15} aria-hidden />
        </button>
      }
    >
      {copy !== undefined && (
        <MenuItem onSelect={() => void navigator.clipboard.writeText(copy)}>
          <Copy size={15} aria-hidden />
          Copy text
        </MenuItem>
      )}
      <MenuItem onSelect={() => show(result ? [item.raw, result.raw] : [item.raw])}>
        <Braces size={15} aria-hidden />
        Show raw JSON
      </MenuItem>
    </Menu>
  );
}
