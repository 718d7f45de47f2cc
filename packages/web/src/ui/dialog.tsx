// A dialog over the page: it takes the focus, closes with Escape, and gives the focus back.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { useFocusReturn } from './focus-return.ts';

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  onClosed,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  /** It is gone, and the focus is back where it was. */
  onClosed?: () => void;
  children: ReactNode;
}) {
  const returnFocus = useFocusReturn(open, onClosed);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-black/40 backdrop-blur-[1px]" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onCloseAutoFocus={returnFocus}
          className={classes(
            'fixed top-[4dvh] animate-pop-in left-1/2 z-50 flex max-h-[92dvh] w-[calc(100vw-1.5rem)] sm:top-[12vh] sm:max-h-[76vh] sm:w-[calc(100vw-2rem)] -translate-x-1/2 flex-col overflow-hidden rounded-card border border-line bg-raised shadow-2xl',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="flex items-center justify-between gap-4 border-line border-b py-3 pr-3 pl-5">
            <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="overflow-y-auto p-5">
            {description !== undefined && (
              <Radix.Description className="mb-4 text-soft text-sm">{description}</Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
