// Keeps the end of a growing text in view for a reader who is there, and leaves alone one who has scrolled up.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** So near to the end counts as there. */
const nearPx = 80;

export interface StickyScroll {
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** What grows in it. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
}

export function useStickyScroll(): StickyScroll {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const outer = box.current;
    const inner = content.current;
    if (!outer || !inner) return undefined;
    let lastTop = outer.scrollTop;
    const onScroll = () => {
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearPx;
      // Growing content alone moves nobody up: only the reader does.
      if (isNear) sticks.current = true;
      else if (outer.scrollTop < lastTop) sticks.current = false;
      lastTop = outer.scrollTop;
      setAtEnd(isNear || sticks.current);
    };
    const growth = new ResizeObserver(() => {
      if (sticks.current) outer.scrollTop = outer.scrollHeight;
      else setAtEnd(outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearPx);
    });
    growth.observe(inner);
    growth.observe(outer);
    outer.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      growth.disconnect();
      outer.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { box, content, isAtEnd, toEnd };
}
