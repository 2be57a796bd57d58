import { useEffect, useSyncExternalStore } from 'react';
import type { ItemSummary } from '../../../src/client/index.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { resumeOutbox } from '../item/conversation/outbox.ts';
import { whileListening } from './listening.ts';
import { lookAtVersion } from './version.ts';

/** How the page stands to its server. `lostAt` is when it last heard from it; epoch milliseconds. */
export interface Connection {
  readonly state: 'connecting' | 'live' | 'lost';
  readonly lostAt: number | null;
}

let connection: Connection = { state: 'connecting', lostAt: null };
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next.state === connection.state) return;
  connection = next;
  document.documentElement.toggleAttribute('data-lost', next.state === 'lost');
  for (const listener of listeners) listener();
}

/** Lists are read again at most this often, however much happens. */
const GATHER_MS = 400;
let gathering: ReturnType<typeof setTimeout> | undefined;

function readListsSoon(): void {
  if (gathering !== undefined) return;
  gathering = setTimeout(() => {
    gathering = undefined;
    void queryClient.invalidateQueries({ queryKey: ['items'] });
    void queryClient.invalidateQueries({ queryKey: ['facets'] });
    void queryClient.invalidateQueries({ queryKey: ['requests'] });
  }, GATHER_MS);
}

/** An item moved: what is shown of it is read again, unless it is as new already. */
function moved(id: string, version: number): void {
  const known = queryClient.getQueryData<Pick<ItemSummary, 'version'>>(['item', id]);
  if (known === undefined || known.version < version) {
    void queryClient.invalidateQueries({ queryKey: ['item', id] });
  }
  readListsSoon();
}

/** There is a server again, or for the first time: what was missed for want of one is made up for. */
function arrived(): void {
  become({ state: 'live', lostAt: null });
  void lookAtVersion();
  void resumeOutbox();
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
}

async function follow(signal: AbortSignal): Promise<void> {
  const changes = client.followFeed({
    signal,
    connected: (isLive) => (isLive ? arrived() : become({ state: 'lost', lostAt: Date.now() })),
  });
  for await (const change of changes) {
    if (change === 'all') await queryClient.invalidateQueries();
    else moved(change.id, change.version);
  }
}

/** Keeps everything that is shown up to date, for as long as the page is in sight. */
export function useLiveFeed(): void {
  useEffect(() => {
    let ending = new AbortController();
    const begin = (): void => {
      ending.abort();
      ending = new AbortController();
      follow(ending.signal).catch(() => become({ state: 'lost', lostAt: Date.now() }));
    };
    let listens = false;
    // A network that is back is no reason to wait any longer.
    const again = (): void => {
      if (listens) begin();
    };
    const stop = whileListening((next) => {
      listens = next;
      if (next) begin();
      else ending.abort();
    });
    window.addEventListener('online', again);
    return () => {
      window.removeEventListener('online', again);
      stop();
      ending.abort();
    };
  }, []);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
