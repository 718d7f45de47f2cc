// Keeps a scrolled region at its end while it grows or shrinks, until the person scrolls away. At the end again, it
// follows again.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** This close counts as at the end. */
const nearPx = 60;
/** A scroll this soon after a touch, a wheel or a key is the person's. */
const handMs = 1_000;

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
    let handAt = -handMs;
    let lastTop = element.scrollTop;
    const onHand = () => {
      handAt = performance.now();
    };
    const onScroll = () => {
      const isUp = element.scrollTop < lastTop;
      lastTop = element.scrollTop;
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      const isByHand = performance.now() - handAt < handMs;
      if (isUp && isByHand) follows.current = false;
      else if (!isUp && isNear) follows.current = true;
      setAtEnd(isNear || follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      else onScroll();
    });
    observer.observe(element);
    observer.observe(inner);
    const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
    for (const hand of hands) element.addEventListener(hand, onHand, { passive: true });
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      for (const hand of hands) element.removeEventListener(hand, onHand);
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, content]);

  return { isAtEnd, goToEnd, leaveEnd };
}
