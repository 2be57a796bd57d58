import { useEffect, useRef } from 'react';

const NEAR_END_PX = 80;

/**
 * A box that stays at its end while one is there, whatever is added, written or squeezed; who has scrolled up is left
 * where they are. `content` holds all that the box scrolls.
 */
export function useStickyEnd() {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || !content.current) return undefined;
    let isAtEnd = true;
    let seenHeight = element.scrollHeight;
    const look = (): void => {
      // What came between says nothing of the person: it is told of next, and would look as if they had scrolled up.
      if (element.scrollHeight !== seenHeight) return;
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    };
    const sizes = new ResizeObserver(() => {
      seenHeight = element.scrollHeight;
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    });
    sizes.observe(element);
    sizes.observe(content.current);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { box, content };
}
