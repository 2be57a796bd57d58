import type { ItemState } from '../core/index.ts';

/** Bounds of the cache; sizes are characters of JSON, about a third of the memory they take as objects. */
export interface CacheBounds {
  readonly items: number;
  readonly chars: number;
}

export const DEFAULT_CACHE: CacheBounds = Object.freeze({ items: 2_000, chars: 12_000_000 });

/**
 * Folded states of this process, least recently used first. An entry is a prefix of its stream for ever, since
 * streams are only appended to: an old one costs a read of the tail, never a wrong answer.
 */
export interface StateCache {
  readonly get: (itemId: string) => ItemState | undefined;
  /** Remembers a committed state; `chars` is what was read or written to get here from the one before. */
  readonly put: (state: ItemState, chars: number) => void;
  readonly drop: (itemId: string) => void;
  readonly size: () => { readonly items: number; readonly chars: number };
}

export function stateCache(bounds: CacheBounds = DEFAULT_CACHE): StateCache {
  const entries = new Map<string, { readonly state: ItemState; readonly chars: number }>();
  let total = 0;
  const drop = (itemId: string): void => {
    total -= entries.get(itemId)?.chars ?? 0;
    entries.delete(itemId);
  };
  const shrink = (): void => {
    for (const itemId of entries.keys()) {
      if (entries.size <= bounds.items && total <= bounds.chars) return;
      drop(itemId);
    }
  };
  return {
    get: (itemId) => {
      const entry = entries.get(itemId);
      if (!entry) return undefined;
      entries.delete(itemId);
      entries.set(itemId, entry);
      return entry.state;
    },
    put: (state, chars) => {
      const known = entries.get(state.id);
      if (known && known.state.version > state.version) return;
      const size = (known?.chars ?? 0) + chars;
      drop(state.id);
      entries.set(state.id, { state, chars: size });
      total += size;
      shrink();
    },
    drop,
    size: () => ({ items: entries.size, chars: total }),
  };
}
