import type { World } from '../world.ts';

export interface KeptLease {
  readonly resource: string;
  readonly epoch: number;
  /** Called once when the lease turns out to be somebody else's. */
  readonly onLost: () => void;
}

/**
 * Renews every lease of this process from the moment of claim, also while a workspace is being prepared. A refused
 * renewal is told at once; one that could not be asked is tried again (LSE-1, D8).
 */
export class LeaseKeeper {
  readonly #world: World;
  readonly #kept = new Map<string, KeptLease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  keep(lease: KeptLease): void {
    this.#kept.set(lease.resource, lease);
    this.#timer ??= setInterval(() => void this.renewAll(), this.#world.settings.leaseMs / 3);
  }

  drop(resource: string): void {
    this.#kept.delete(resource);
    if (this.#kept.size > 0 || this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Asked by the timer, and by the sweeper before it may judge anybody else. */
  async renewAll(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((lease) => this.#renew(lease)));
  }

  async #renew(lease: KeptLease): Promise<void> {
    const { store, worker, settings, log } = this.#world;
    try {
      const held = await store.renewLease(lease.resource, worker.owner, lease.epoch, settings.leaseMs);
      if (held || this.#kept.get(lease.resource) !== lease) return;
      this.drop(lease.resource);
      lease.onLost();
    } catch (error) {
      log('lease renewal failed; it will be tried again', { resource: lease.resource, error: String(error) });
    }
  }
}
