import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Keeps in the middle what was there when the picture becomes wider or narrower. Answers what to do after scrolling. */
export function useSteadyCentre(scroller: RefObject<HTMLElement | null>, zoom: number): () => void {
  // Of the whole width: what is seen at first ends with now.
  const centre = useRef(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another width moves it
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box) box.scrollLeft = centre.current * box.scrollWidth - box.clientWidth / 2;
  }, [zoom]);
  return () => {
    const box = scroller.current;
    if (box && box.scrollWidth > box.clientWidth) {
      centre.current = (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth;
    }
  };
}
