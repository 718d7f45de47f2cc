// The dialog around the palette, whose code loads soon after the page.
import { Suspense, useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';

const palette = preloadable(async () => (await import('./palette.tsx')).Palette);
const preloadMs = 2_000;

export function PaletteDialog({
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
