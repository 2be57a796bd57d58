import { type KeyboardEvent as Pressed, useEffect, useEffectEvent } from 'react';

const CHOSEN = '[data-detail] article';

/**
 * Into a card, the chosen one of the inbox when it is not said: to where one writes, else to the card itself. Never to
 * an answer, which the same key would press before it was read.
 */
export function enterCard(card: Element | null = document.querySelector(CHOSEN)): void {
  const place = card?.querySelector<HTMLElement>('textarea') ?? card;
  if (place instanceof HTMLElement) place.focus();
}

/** A key that is held down does in a card what it did when it was pressed, and not what came under it since. */
export function ignoreHeldEnter(event: Pressed): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}

/** Enter goes into the chosen card while nothing else has the keyboard, unless that card came up by itself. */
export function useEnterCard(takesKeys: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const { key, repeat, target } = event;
    const isFree = target === document.body || (target instanceof Element && target.matches(CHOSEN));
    if (!takesKeys || key !== 'Enter' || repeat || !isFree) return;
    event.preventDefault();
    enterCard();
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
