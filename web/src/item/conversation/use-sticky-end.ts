import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 80;

/** Something in sight, and where it stands. */
interface Held {
  readonly element: Element;
  readonly top: number;
}

/** The first part that is in sight, where what comes above must not move it. */
function firstInSight(box: Element): Held | undefined {
  const { top: edge } = box.getBoundingClientRect();
  const element = [...box.querySelectorAll('li')].find((each) => each.getBoundingClientRect().bottom > edge);
  return element && { element, top: element.getBoundingClientRect().top };
}

/** What the box shows: its end while one is there, whatever is added, written or squeezed, else where one is. */
function follow(element: HTMLElement, content: Element, change: (isAtEnd: boolean) => void) {
  let isAtEnd = true;
  let seenHeight = element.scrollHeight;
  const look = (): void => {
    // What came between says nothing of the person: it is told of next, and would look as if they had scrolled up.
    if (element.scrollHeight !== seenHeight) return;
    isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    change(isAtEnd);
  };
  const sizes = new ResizeObserver(() => {
    seenHeight = element.scrollHeight;
    if (isAtEnd) element.scrollTop = element.scrollHeight;
  });
  sizes.observe(element);
  sizes.observe(content);
  element.addEventListener('scroll', look, { passive: true });
  return {
    isAtEnd: () => isAtEnd,
    toEnd: (): void => {
      isAtEnd = true;
      element.scrollTop = element.scrollHeight;
      change(true);
    },
    stop: (): void => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    },
  };
}

/**
 * A box that stays at its end while one is there; who has scrolled up is left where they are, and told when something
 * has come below. `content` holds all that the box scrolls; `oldest` and `newest` name what it begins and ends with.
 */
export function useStickyEnd(oldest: unknown, newest: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef<ReturnType<typeof follow>>(undefined);
  const held = useRef<Held>(undefined);
  const [hasNews, setNews] = useState(false);
  useEffect(() => {
    const [element, inner] = [box.current, content.current];
    if (!element || !inner) return undefined;
    const begun = follow(element, inner, (isAtEnd) => {
      if (isAtEnd) setNews(false);
      if (held.current) held.current = firstInSight(element);
    });
    following.current = begun;
    return begun.stop;
  }, []);
  useLayoutEffect(() => {
    const [element, place] = [box.current, held.current];
    held.current = undefined;
    if (oldest === undefined || !element || !place?.element.isConnected) return;
    element.scrollTop += place.element.getBoundingClientRect().top - place.top;
  }, [oldest]);
  useEffect(() => {
    if (newest !== undefined && following.current?.isAtEnd() === false) setNews(true);
  }, [newest]);
  return {
    ...{ box, content, hasNews },
    toEnd: (): void => following.current?.toEnd(),
    /** Before something comes above: what is in sight then stays where it is. */
    holdPlace: (): void => {
      held.current = box.current ? firstInSight(box.current) : undefined;
    },
  };
}
