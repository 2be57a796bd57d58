import type { World } from '../world.ts';

/** Short, because each step is: a process that died in one is relieved soon. */
const BRANCH_LEASE_MS = 10_000;

/** Does the work while it holds the resource, renewing; false, without doing it, when somebody else holds it. */
export async function underLease(world: World, resource: string, work: () => Promise<boolean>): Promise<boolean> {
  const { store, worker } = world;
  const leaseMs = Math.min(world.settings.leaseMs, BRANCH_LEASE_MS);
  const epoch = await store.acquireLease(resource, worker.owner, leaseMs);
  if (epoch === undefined) return false;
  const renewal = setInterval(() => {
    store.renewLease(resource, worker.owner, epoch, leaseMs).catch(() => undefined);
  }, leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await store.releaseLease(resource, worker.owner, epoch);
  }
}
