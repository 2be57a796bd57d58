import { useSyncExternalStore } from 'react';

/**
 * What is being typed, kept for as long as this tab is: over a reload, and while it is out of sight. It is this tab's
 * alone, so what is typed in two tabs never meets. Where the browser keeps nothing it lasts until a reload.
 */
const known = new Map<string, unknown>();
const listeners = new Set<() => void>();

const storageKey = (key: string): string => `workcenter.kept.${key}`;

function stored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function keptAt(key: string): unknown {
  if (!known.has(key)) known.set(key, stored(key));
  return known.get(key);
}

/** Undefined: it is not needed any more. */
export function keepAt(key: string, value: unknown): void {
  known.set(key, value);
  try {
    if (value === undefined) sessionStorage.removeItem(storageKey(key));
    else sessionStorage.setItem(storageKey(key), JSON.stringify(value));
  } catch {
    // Then it is kept here only.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is kept under a key, where it is of its kind; another version of the page may have kept something else. */
export function useKept<T>(key: string, isOne: (value: unknown) => value is T) {
  const value = useSyncExternalStore(subscribe, () => keptAt(key));
  return [isOne(value) ? value : undefined, (next: T | undefined): void => keepAt(key, next)] as const;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Words that are being typed; none: they need not be kept. */
export function useKeptText(key: string) {
  const [text = '', keep] = useKept(key, isText);
  return [text, (next: string): void => keep(next === '' ? undefined : next)] as const;
}
