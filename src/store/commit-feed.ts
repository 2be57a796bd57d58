import type { ItemState, StoredEvent } from '../core/index.ts';

/** Called after a commit with the state it led to. Must not block; what it throws is kept from everyone else. */
export type CommitListener = (state: ItemState, events: readonly StoredEvent[]) => void;

export interface CommitFeed {
  readonly add: (listener: CommitListener) => () => void;
  readonly publish: CommitListener;
}

/** `onListenerError` hears of listeners that threw; a commit has happened whatever they think of it. */
export function commitFeed(onListenerError: (error: unknown) => void = () => {}): CommitFeed {
  const listeners = new Set<CommitListener>();
  return {
    add: (listener) => {
      const own: CommitListener = (state, events) => listener(state, events);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    publish: (state, events) => {
      for (const listener of [...listeners]) {
        try {
          listener(state, events);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
  };
}
