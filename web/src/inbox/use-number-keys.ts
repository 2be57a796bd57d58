import { useEffect, useEffectEvent } from 'react';

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The keys 1 to 9 choose one of `count`, while nobody types and no dialog is open. */
export function useNumberKeys(count: number, choose: (index: number) => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const index = Number.parseInt(event.key, 10) - 1;
    if (!(index >= 0 && index < count) || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
    if (typing(event.target) || document.querySelector('[role=dialog]')) return;
    event.preventDefault();
    choose(index);
  });
  useEffect(() => {
    if (count === 0) return undefined;
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [count]);
}
