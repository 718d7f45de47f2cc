// A dialog over the page. It takes the focus, closes with Escape, and returns the focus.
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { useFocusReturn } from './focus-return.ts';
import { TitleBar } from './title-bar.tsx';

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
  /** Called when it is closed and the focus is back where it was. */
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
          <TitleBar title={title} />
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

/** The end of a dialog: cancel, or do it. */
export function DialogButtons({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  return (
    <div className="flex justify-end gap-2">
      <Button look="quiet" onClick={onCancel}>
        {t('Cancel')}
      </Button>
      {children}
    </div>
  );
}
