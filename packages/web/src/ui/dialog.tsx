// Dialogs, and drawers that slide in from the left. They take the focus, close with Escape, and return the focus.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';

interface OverlayProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Called when it is closed and the focus is back where it was. */
  readonly onClosed?: () => void;
  readonly children: ReactNode;
}

export function Dialog({
  description,
  wide = false,
  children,
  ...overlay
}: OverlayProps & { description?: string; wide?: boolean }) {
  return (
    <Overlay
      {...overlay}
      isDescribed={description !== undefined}
      className={classes(
        'top-[4dvh] left-1/2 max-h-[92dvh] w-[calc(100vw-1.5rem)] -translate-x-1/2 animate-pop-in overflow-hidden rounded-card border sm:top-[12vh] sm:max-h-[76vh] sm:w-[calc(100vw-2rem)] bg-raised',
        wide ? 'max-w-2xl' : 'max-w-md',
      )}
    >
      <div className="overflow-y-auto p-5">
        {description !== undefined && (
          <Radix.Description className="mb-4 text-soft text-sm">{description}</Radix.Description>
        )}
        {children}
      </div>
    </Overlay>
  );
}

/** The buttons at the end of a dialog: cancel, and those that do it. */
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

/** For screens without room for a column next to the page. */
export function Drawer({ children, ...overlay }: OverlayProps) {
  useBackCloses(overlay.open, overlay.onOpenChange);
  return (
    <Overlay
      {...overlay}
      className="inset-y-0 left-0 w-80 max-w-[85vw] animate-slide-in border-r bg-paper outline-none"
    >
      <div className="min-h-0 flex-1">{children}</div>
    </Overlay>
  );
}

/** While it is open it has its own entry in the browser's history, so that Back closes it and stays on the page. */
function useBackCloses(open: boolean, onOpenChange: (open: boolean) => void): void {
  const change = useRef(onOpenChange);
  change.current = onOpenChange;
  useEffect(() => {
    if (!open) return undefined;
    const entry = { drawer: crypto.randomUUID() };
    const isOurs = () => (history.state as { drawer?: string } | null)?.drawer === entry.drawer;
    history.pushState(entry, '');
    const onPop = () => {
      if (!isOurs()) change.current(false);
    };
    window.addEventListener('popstate', onPop);
    return () => {
      window.removeEventListener('popstate', onPop);
      // Closed in another way, so remove the entry, unless something that was opened from the drawer has replaced it.
      if (isOurs()) history.back();
    };
  }, [open]);
}

function Overlay({
  open,
  onOpenChange,
  title,
  onClosed,
  isDescribed = false,
  className,
  children,
}: OverlayProps & { isDescribed?: boolean; className: string }) {
  const wasOpen = useRef(false);
  const before = useRef<Element>(null);
  // While rendering, because a field inside may take the focus as soon as it is mounted.
  if (open && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = open;
  // The library returns the focus only if its own button opened the dialog.
  const returnFocus = (event: Event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement) before.current.focus();
    onClosed?.();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-black/40 motion-safe:backdrop-blur-[1px]" />
        <Radix.Content
          {...(!isDescribed && { 'aria-describedby': undefined })}
          onCloseAutoFocus={returnFocus}
          className={classes('fixed z-50 flex flex-col border-line shadow-2xl', className)}
        >
          <div className="flex min-h-14 shrink-0 items-center justify-between gap-4 border-line border-b py-2 pr-3 pl-5">
            <Radix.Title className="min-w-0 break-words font-semibold text-base">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t('Close')}>
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
