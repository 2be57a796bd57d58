import { useEffect, useSyncExternalStore } from 'react';
import { recall, remember } from './remember.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme = THEMES.find((theme) => theme === recall('theme')) ?? 'system';

const shown = (): 'light' | 'dark' => {
  if (chosen !== 'system') return chosen;
  return dark.matches ? 'dark' : 'light';
};

/** Before the first paint, so that a dark room is not lit up. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = shown();
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  remember('theme', theme);
  applyTheme();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What was chosen; follows the system while that is `system`. */
export function useTheme(): Theme {
  useEffect(() => {
    dark.addEventListener('change', applyTheme);
    return () => dark.removeEventListener('change', applyTheme);
  }, []);
  return useSyncExternalStore(subscribe, () => chosen);
}
