import type { BrowserStorage } from './stored.ts';

const NOWHERE: BrowserStorage = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem: () => {
    throw new Error('Nothing is kept.');
  },
  removeItem: () => undefined,
};

/** Some browsers refuse even to name their storage. */
export function browserStorage(): BrowserStorage {
  try {
    return localStorage;
  } catch {
    return NOWHERE;
  }
}
