import type { World } from '../world.ts';

/** Work that holds a lease; `signal` is given when it is lost or the engine stops. */
type Work = (epoch: number, signal: AbortSignal) => Promise<void>;

/** Carries a Coordinator turn while `turn:<item>` is ours (D17: one at a time); does nothing while it is not. */
export async function underTurnLease(world: World, itemId: string, stopping: AbortSignal, work: Work): Promise<void> {
  const { store, worker, settings } = world;
  const resource = `turn:${itemId}`;
  const epoch = await store.acquireLease(resource, worker.owner, settings.leaseMs);
  if (epoch === undefined) return;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const held = await store.renewLease(resource, worker.owner, epoch, settings.leaseMs).catch(() => undefined);
    // A store that fails for a moment says nothing about the lease.
    if (held === false) lost.abort(new Error('the turn was taken over'));
  };
  const renewal = setInterval(() => void renew(), Math.max(100, settings.leaseMs / 3));
  try {
    await work(epoch, AbortSignal.any([stopping, lost.signal]));
  } finally {
    clearInterval(renewal);
    await store.releaseLease(resource, worker.owner, epoch).catch(() => undefined);
  }
}
