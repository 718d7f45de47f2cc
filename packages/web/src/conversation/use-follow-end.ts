// Keeps a scrolled region at its end while it grows or shrinks, until the person scrolls away. When they return to the
// end, it follows again.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** This close counts as at the end. */
const nearPx = 60;
/** A scroll this soon after a touch, a wheel or a key counts as the person's. */
const inputMs = 1_000;

export interface FollowEnd {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
  /** The reader wants to be elsewhere. */
  readonly leaveEnd: () => void;
}

export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): FollowEnd {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const goToEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  const leaveEnd = useCallback(() => {
    follows.current = false;
    setAtEnd(false);
  }, []);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    let inputAt = -inputMs;
    let lastTop = element.scrollTop;
    const onInput = () => {
      inputAt = performance.now();
    };
    const onScroll = () => {
      const isUp = element.scrollTop < lastTop;
      lastTop = element.scrollTop;
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      const isByPerson = performance.now() - inputAt < inputMs;
      if (isUp && isByPerson) follows.current = false;
      else if (!isUp && isNear) follows.current = true;
      setAtEnd(isNear || follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      else onScroll();
    });
    observer.observe(element);
    observer.observe(inner);
    const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
    for (const input of inputs) element.addEventListener(input, onInput, { passive: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      for (const input of inputs) element.removeEventListener(input, onInput);
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content]);

  return { isAtEnd, goToEnd, leaveEnd };
}
