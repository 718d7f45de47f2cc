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
    const look = () => ({ top: outer.scrollTop, end: outer.scrollHeight - outer.clientHeight });
    let last = look();
    const onScroll = () => {
      const now = look();
      sticks.current = staysAtEnd(sticks.current, last, now);
      last = now;
      setAtEnd(sticks.current);
    };
    const growth = new ResizeObserver(() => {
      if (sticks.current) outer.scrollTop = outer.scrollHeight;
      last = look();
      if (!sticks.current) setAtEnd(isNear(last));
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

export interface ScrollPlace {
  readonly top: number;
  /** Where `top` is when one sees the last line. */
  readonly end: number;
}

/** Whether whoever saw the end and is now elsewhere wants to see it still. Only the reader leaves it. */
export function staysAtEnd(didStick: boolean, before: ScrollPlace, now: ScrollPlace): boolean {
  if (isNear(now)) return true;
  // A text that became shorter and a box that became taller move one up, too.
  const hasLeft = now.top < before.top && now.end >= before.end;
  return didStick && !hasLeft;
}

function isNear({ top, end }: ScrollPlace): boolean {
  return end - top < nearPx;
}
