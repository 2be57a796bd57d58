import { useState } from 'react';

/** What had the focus before a dialog opened, then what that stands in, from the inside out; and where. */
let before: { readonly elements: readonly HTMLElement[]; readonly place: string } = { elements: [], place: '' };

const around = (element: HTMLElement): readonly HTMLElement[] =>
  element.parentElement ? [element, ...around(element.parentElement)] : [element];

/** From one dialog to the next it stays what it was before the first. */
function remember(): void {
  const { activeElement, body } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement.closest('[role=dialog]')) return;
  before = { elements: activeElement === body ? [] : around(activeElement), place: location.pathname };
}

/** To be called by whatever opens as a dialog, before anything in it takes the focus. */
export function useRememberedFocus(open: boolean): void {
  const [wasOpen, setWasOpen] = useState(false);
  if (open === wasOpen) return;
  setWasOpen(open);
  if (open) remember();
}

const canTake = (element: HTMLElement): boolean =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled');

/**
 * Gives the focus back to what had it: nothing of ours opens a dialog by a trigger that the library knows. Where that
 * has gone, to the part of the page that it stood in; where another page was opened, to that.
 */
export function giveBackFocus(event: Event): void {
  event.preventDefault();
  const { activeElement, body } = document;
  // Something else has taken it already, such as the first field of another page.
  if (activeElement !== null && activeElement !== body) return;
  const { elements, place } = before;
  const [opener, ...parts] = elements;
  const isElsewhere = place !== location.pathname;
  const part = isElsewhere
    ? document.querySelector<HTMLElement>('main')
    : parts.find((each) => each.matches('[tabindex]') && canTake(each));
  (opener && !isElsewhere && canTake(opener) ? opener : part)?.focus({ preventScroll: true });
}
