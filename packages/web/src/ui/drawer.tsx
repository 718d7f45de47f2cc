// A column that slides over the page from its left edge, where there is no room beside it.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useFocusReturn } from './focus-return.ts';

export function Drawer({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 left-0 animate-slide-in z-50 flex w-80 max-w-[85vw] flex-col border-line border-r bg-paper shadow-2xl outline-none"
        >
          <div className="flex h-14 shrink-0 items-center justify-between gap-2 border-line border-b pr-2 pl-4">
            <Radix.Title className="font-semibold text-sm">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
