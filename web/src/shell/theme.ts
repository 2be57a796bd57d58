import { useSyncExternalStore } from 'react';
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

function apply(): void {
  document.documentElement.dataset.theme = shown();
}

/** Before the first paint, so that a dark room is not lit up; and whenever the system goes to its other theme. */
export function followTheme(): void {
  apply();
  dark.addEventListener('change', apply);
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  remember('theme', theme);
  apply();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What was chosen. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => chosen);
