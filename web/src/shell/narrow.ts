import { useSyncExternalStore } from 'react';

/** Below this width there is one column. */
const query = window.matchMedia('(max-width: 1023px)');

const subscribe = (listener: () => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
