// The tour: walks through places on the page, with a card next to each. The card is a dialog that has the focus, so it
// works by keyboard and is read aloud; Escape ends it.
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '../i18n/translate.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { closeHelp } from './help.ts';
import { type Box, cardPosition, type Stop, stops } from './stops.ts';

export function Tour() {
  const all = stops();
  const [at, setAt] = useState(0);
  const [path, go] = useLocation();
  const stop = all[at] ?? all[0];
  const card = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { place, position } = usePlaces(stop, card);
  const before = useRef(document.activeElement);
  // Its places are on the start page.
  useEffect(() => {
    if (path !== '/') go('/');
  }, [path, go]);
  // Makes screen readers announce every stop.
  useEffect(() => heading.current?.focus(), [at]);
  const isLast = at === all.length - 1;
  const move = (by: number) => setAt(Math.max(0, Math.min(at + by, all.length - 1)));
  return (
    <Dialog.Root open onOpenChange={closeHelp}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40" />
        {place && (
          <div
            aria-hidden
            className="pointer-events-none fixed z-40 rounded-xl shadow-[0_0_0_200vmax_rgb(0_0_0/0.45)] outline-2 outline-accent transition-all motion-reduce:transition-none"
            style={place}
          />
        )}
        <Dialog.Content
          ref={card}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            heading.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') move(1);
            if (key === 'ArrowLeft') move(-1);
          }}
          className="fixed z-50 w-80 max-w-[calc(100vw-1.5rem)] rounded-card border border-line bg-raised p-4 shadow-2xl"
          style={position}
        >
          <div className="flex items-start justify-between gap-3">
            <Dialog.Title ref={heading} tabIndex={-1} className="font-semibold text-base outline-none">
              {stop.title}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t('End the tour')} className="-mt-1.5 -mr-2">
                <X size={17} aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <Dialog.Description className="mt-1 text-sm text-soft leading-relaxed">
            {stop.text}
          </Dialog.Description>
          <div className="mt-4 flex items-center gap-2">
            <p className="flex-1 text-faint text-xs tabular-nums">
              {t('{number} of {count}', { number: at + 1, count: all.length })}
            </p>
            {at > 0 && (
              <Button look="quiet" onClick={() => move(-1)}>
                {t('Back')}
              </Button>
            )}
            <Button look="primary" onClick={() => (isLast ? closeHelp() : move(1))}>
              {isLast ? t('Done') : t('Next')}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const margin = 4;

/** Measured before painting, and again when the window or the page changes. */
function usePlaces(stop: Stop, card: { readonly current: HTMLElement | null }) {
  const [place, setPlace] = useState<Box>();
  const [position, setPosition] = useState<{ left: number; top: number }>();
  const { places } = stop;
  const names = places.join(' ');
  useLayoutEffect(() => {
    const measure = () => {
      const found = boxOf(names.split(' '));
      const { offsetWidth: width = 0, offsetHeight: height = 0 } = card.current ?? {};
      setPlace(found);
      setPosition(cardPosition(found, { width, height }, { width: innerWidth, height: innerHeight }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (card.current) observer.observe(card.current);
    // The start page may still be loading.
    const changes = new MutationObserver(measure);
    const page = document.getElementById('page');
    if (page) changes.observe(page, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      changes.disconnect();
    };
  }, [names, card]);
  return { place, position };
}

function boxOf(places: readonly string[]): Box | undefined {
  for (const name of places) {
    const box = document.querySelector(`[data-tour="${name}"]`)?.getBoundingClientRect();
    if (box && box.width > 0)
      return {
        left: box.left - margin,
        top: box.top - margin,
        width: box.width + 2 * margin,
        height: box.height + 2 * margin,
      };
  }
  return undefined;
}
