import { useEffect } from 'react';

/** Into a card, the chosen one of the inbox when it is not said: to where one writes, else to its first answer. */
export function enterCard(card: Element | null = document.querySelector('[data-detail] article')): void {
  card?.querySelector<HTMLElement>('textarea, button:not(:disabled)')?.focus();
}

/** Enter goes into the chosen card while nothing else has the keyboard. */
export function useEnterCard(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.target !== document.body) return;
      event.preventDefault();
      enterCard();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
