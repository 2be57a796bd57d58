import { isEmbedded, isFresh } from '../../engine/embedded.ts';
import type { DiskUse } from '../../engine/on-demand/disk-use.ts';
import type { Health } from '../../engine/on-demand/health.ts';
import type { WorkerRow } from '../../store/store.ts';
import type { Enforcement } from '../../workspace/sandbox/policy.ts';
import { stateOf, type TokenRecord } from '../access/token-records.ts';

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const workerState = (worker: WorkerRow, now: number): 'working' | 'silent' | 'stopped' => {
  if (worker.stoppedAt !== null) return 'stopped';
  return isFresh(worker, now) ? 'working' : 'silent';
};

export const workerView = (worker: WorkerRow, now: number) => ({
  owner: worker.owner,
  pid: worker.pid,
  version: worker.version,
  kind: isEmbedded(worker) ? ('run' as const) : ('server' as const),
  state: workerState(worker, now),
  firstSeenAt: iso(worker.firstSeenAt),
  heartbeatAt: iso(worker.heartbeatAt),
});

export const enforcementView = (
  { sandbox, filesystem, network, processes, reason }: Enforcement,
  checks: readonly Health[],
) => ({
  ...{ sandbox, filesystem, network, processes, reason: reason ?? null },
  checks: checks.map(({ grade, what, fact, next }) => ({ grade, what, fact, next: next ?? null })),
});

const SHOWN = 200;

/** The largest ones, by their titles. */
export async function diskView(use: DiskUse, titleOf: (itemId: string) => Promise<string | null>) {
  const { items, ...sums } = use;
  const shown = items.slice(0, SHOWN).map(async (item) => ({ ...item, title: await titleOf(item.itemId) }));
  return { ...sums, items: await Promise.all(shown), count: items.length };
}

/** All but what it is recognised by. */
export const tokenView = (token: TokenRecord, now: number) => ({
  id: token.id,
  name: token.name,
  scopes: [...token.scopes],
  authority: token.authority,
  state: stateOf(token, now),
  createdAt: iso(token.createdAt),
  expiresAt: isoOrNull(token.expiresAt),
  revokedAt: isoOrNull(token.revokedAt),
  lastUsedAt: isoOrNull(token.lastUsedAt),
});
