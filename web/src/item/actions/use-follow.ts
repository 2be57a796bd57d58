import { type RefObject, useEffect, useRef } from 'react';

const NEAR_END_PX = 60;

/** Keeps the end of something that grows in sight, until one scrolls away from it; coming back follows again. */
export function useFollow<E extends HTMLElement>(isGrowing: boolean): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    const element = ref.current;
    const box = element?.closest<HTMLElement>('[role=tabpanel]');
    if (!isGrowing || !element || !box) return undefined;
    let isFollowing = true;
    const look = (): void => {
      isFollowing = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
    };
    const observer = new ResizeObserver(() => {
      if (isFollowing) box.scrollTop = box.scrollHeight;
    });
    observer.observe(element);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [isGrowing]);
  return ref;
}
