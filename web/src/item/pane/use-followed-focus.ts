import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** What had the focus is gone, or out of sight: whoever goes by keyboard would begin at the top of the page. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || !activeElement.checkVisibility();
}

const linkTo = (place: string, within: ParentNode): HTMLElement | undefined =>
  [...within.querySelectorAll<HTMLElement>('a[href]')].find(
    (link) => link.getAttribute('href') === place && link.checkVisibility(),
  );

/**
 * The focus goes along with what is shown: into the content that a link opened, and on the way back to that link, as
 * soon as it is there again; where the content is out of sight, to the one beside it.
 */
export function useFollowedFocus(panel: RefObject<HTMLElement | null>): void {
  const [place] = useLocation();
  const before = useRef(place);
  useEffect(() => {
    const left = before.current;
    before.current = place;
    const content = panel.current;
    if (left === place || !content || !isFocusLost()) return undefined;
    const isWayBack = left.startsWith(`${place}/`);
    const isInSight = content.checkVisibility();
    const goBack = (): boolean => {
      const link = isWayBack ? linkTo(left, isInSight ? content : document) : undefined;
      link?.focus();
      return link !== undefined;
    };
    if (goBack()) return undefined;
    content.focus();
    if (!isWayBack) return undefined;
    const observer = new MutationObserver(() => {
      if (document.activeElement !== content || goBack()) observer.disconnect();
    });
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [place, panel]);
}
