import type { Delivering } from './deliver.ts';
import { allWebhooks, endRemoval } from './manage.ts';
import { type Courses, tellWebhook } from './tell-webhook.ts';

/** Whoever holds it sends; nobody else does. */
const LEASE = 'webhooks';

export interface DispatcherOptions extends Delivering {
  /** Fresh for each process, as for every lease (D8). */
  readonly owner: string;
  readonly leaseMs?: number;
  /** How soon it sees what other processes did, and what fell due. */
  readonly pollMs?: number;
  readonly log?: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

export interface Dispatcher {
  /** Resolves when whatever is due now has been tried once, or when others do that. */
  settle(): Promise<void>;
  /** Lets go of everything; what was on its way counts as never sent and is sent again. May be called twice. */
  stop(): Promise<void>;
}

const LEASE_MS = 30_000;
const POLL_MS = 1_000;
/** Commits come in bursts. */
const GATHER_MS = 50;

/** One time of holding the lease. */
interface Tenure {
  readonly epoch: number;
  readonly over: AbortController;
  readonly courses: Courses;
  /** Webhooks that are being told. */
  readonly busy: Map<string, Promise<void>>;
  renewedMs: number;
}

/**
 * Tells webhooks what happens, beside the engine: one process for each store at a time, by a lease. What happened while
 * nobody did it is told by the next one.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  return new RunningDispatcher(options);
}

class RunningDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #unsubscribe: () => void;
  #tenure: Tenure | undefined;
  #timer: NodeJS.Timeout | undefined;
  #plannedMs = 0;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;
  #stopping: Promise<void> | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onCommit(() => this.#plan(GATHER_MS));
    this.#plan(0);
  }

  /** The next look, unless an earlier one is planned: many commits bring one. */
  #plan(delayMs: number): void {
    const atMs = performance.now() + delayMs;
    if (this.#stopped || (this.#timer !== undefined && this.#plannedMs <= atMs)) return;
    clearTimeout(this.#timer);
    this.#plannedMs = atMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, delayMs);
  }

  /** Looks never overlap. */
  #look(): Promise<void> {
    this.#round = this.#round
      .then(() => this.#once())
      .catch((error) => this.#say('webhooks: the store failed; it will be asked again', error))
      .finally(() => this.#plan(this.#options.pollMs ?? POLL_MS));
    return this.#round;
  }

  #say(message: string, error: unknown): void {
    this.#options.log?.(message, { error: String(error) });
  }

  /** The lease, held or taken; undefined while another process has it. */
  async #hold(): Promise<Tenure | undefined> {
    const { store, owner, leaseMs = LEASE_MS } = this.#options;
    const held = this.#tenure;
    if (!held) {
      const epoch = await store.acquireLease(LEASE, owner, leaseMs);
      if (epoch === undefined) return undefined;
      const renewedMs = performance.now();
      this.#tenure = { epoch, renewedMs, over: new AbortController(), courses: new Map(), busy: new Map() };
      return this.#tenure;
    }
    if (performance.now() - held.renewedMs < leaseMs / 3) return held;
    const sinceMs = performance.now();
    if (await store.renewLease(LEASE, owner, held.epoch, leaseMs)) {
      held.renewedMs = sinceMs;
      return held;
    }
    held.over.abort();
    this.#tenure = undefined;
    return undefined;
  }

  async #once(): Promise<void> {
    const { store } = this.#options;
    const tenure = this.#stopped ? undefined : await this.#hold();
    if (!tenure) return;
    for (const { id, value } of await allWebhooks(store)) {
      if (tenure.busy.has(id)) continue;
      const telling = (
        value.removed ? endRemoval(store, id) : tellWebhook(this.#options, tenure.courses, id, tenure.over.signal)
      )
        .catch((error) => this.#say(`webhook ${id}: it will be tried again`, error))
        .finally(() => tenure.busy.delete(id));
      tenure.busy.set(id, telling);
    }
  }

  async settle(): Promise<void> {
    // What was begun before may have looked too early: the second round sees what the first one did not.
    for (let round = 0; round < 2; round += 1) {
      await this.#look();
      await Promise.all(this.#tenure?.busy.values() ?? []);
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#tenure?.over.abort();
    await this.#round;
    const { store, owner } = this.#options;
    const held = this.#tenure;
    if (!held) return;
    // The last round may have taken the lease just now.
    held.over.abort();
    await Promise.all(held.busy.values());
    await store
      .releaseLease(LEASE, owner, held.epoch)
      .catch((error) => this.#say('webhooks: the lease runs out by itself', error));
  }
}
