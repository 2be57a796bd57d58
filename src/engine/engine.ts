import { dueAt, type ItemState } from '../core/index.ts';
import { steadyClock } from '../store/clock.ts';
import type { LiveText } from './live/live-text.ts';
import { LeaseKeeper } from './loop/lease-keeper.ts';
import { type Notice, noticeOf } from './loop/notify.ts';
import { Scheduler } from './loop/scheduler.ts';
import { sweepProcesses, sweepRuns } from './loop/sweeper.ts';
import { isPassing } from './persist.ts';
import type { ExecutorFor } from './run/carried.ts';
import { carryRun } from './run/carry-run.ts';
import type { World } from './world.ts';

export interface EngineOptions {
  /** Carry only these items; everything when absent. */
  readonly only?: ReadonlySet<string>;
  readonly onNotice?: (notice: Notice) => void;
  /** Another executor for an Action, asked before the engine's own; for benchmarks and hosts with one of theirs. */
  readonly executorFor?: ExecutorFor;
  /** Told what models say and Runs print while they do; nothing durable hangs on it. */
  readonly liveText?: LiveText;
}

/** The running process: scheduler, lease keeper, sweeper. */
export interface Engine {
  start(): Promise<void>;
  /** What keeps it from working now, a sentence each; none when it carries work. */
  troubles(): readonly string[];
  /** Resolves when nothing can move any more without a person, here or in another process. */
  untilIdle(): Promise<void>;
  /** Resolves when the item has ended or waits for a person; with its state then. */
  untilSettled(itemId: string): Promise<ItemState>;
  /** Orderly: stops claiming, ends Runs with their progress kept, lets go of every lease. */
  stop(): Promise<void>;
}

/** Nothing can move the item without a person: it has ended, or it waits. */
const canOnlyWait = (state: ItemState): boolean =>
  state.lifecycle === 'done' ||
  state.lifecycle === 'cancelled' ||
  state.lifecycle === 'draft' ||
  (state.runs.length === 0 && dueAt(state) === null);

export function openEngine(world: World, options: EngineOptions = {}): Engine {
  // Timers are asked with the kind of clock that the store set them by: after a step back both go on (D8).
  const watched = options.liveText ? { ...world, liveText: options.liveText } : world;
  return new RunningEngine({ ...watched, now: steadyClock(world.now) }, options);
}

class RunningEngine implements Engine {
  readonly #world: World;
  readonly #options: EngineOptions;
  readonly #leases: LeaseKeeper;
  readonly #scheduler: Scheduler;
  readonly #waiters = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tick: Promise<void> | undefined;
  #cursor: Awaited<ReturnType<World['store']['changedSince']>>['cursor'] | undefined;
  #lastTickMs = performance.now();
  /** When the store last took our sign of life; undefined before the start. */
  #lastBeatMs: number | undefined;
  #lastWallMs: number;
  #noSweepBeforeMs = 0;
  #stopped = false;
  #stopping: Promise<void> | undefined;

  constructor(world: World, options: EngineOptions) {
    this.#world = world;
    this.#lastWallMs = world.now();
    this.#options = options;
    this.#leases = new LeaseKeeper(world);
    this.#scheduler = new Scheduler(world, {
      carry: (state, run, signal) =>
        carryRun(world, {
          state,
          run,
          signal,
          leases: this.#leases,
          onLost: () => this.#scheduler.loseRun(run.id),
          ...(options.executorFor ? { executorFor: options.executorFor } : {}),
        }),
      onQuieter: () => this.#wakeWaiters(),
      ...(options.only ? { only: options.only } : {}),
    });
  }

  async start(): Promise<void> {
    const { store, worker } = this.#world;
    await store.heartbeat(worker);
    this.#cursor = (await store.changedSince(undefined)).cursor;
    this.#unsubscribe = store.onCommit((state, events) => {
      const notice = noticeOf(state, events);
      if (notice) this.#options.onNotice?.(notice);
      this.#scheduler.observe(state);
      this.#scheduler.wake();
      this.#wakeWaiters();
    });
    await this.#sweep();
    this.#scheduler.wake();
    this.#lastBeatMs = performance.now();
    this.#schedule(0);
  }

  troubles(): readonly string[] {
    if (this.#stopped) return ['The engine is stopping.'];
    if (this.#lastBeatMs === undefined) return ['The engine has not started.'];
    const silentMs = performance.now() - this.#lastBeatMs;
    // By then others may take what is ours.
    if (silentMs <= this.#world.settings.leaseMs) return [];
    return [`The engine has kept no lease alive for ${Math.round(silentMs / 1_000)} s.`];
  }

  /** The safety net: heartbeat, others' changes, sweeping, timers that fell due. */
  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#tick = this.#onTick()
        .catch((error) => this.#world.log('tick failed', { error: String(error) }))
        .finally(() => {
          this.#tick = undefined;
          // Jitter keeps many processes from asking in step.
          this.#schedule(this.#world.settings.pollMs * (0.8 + Math.random() * 0.4));
        });
    }, delayMs);
  }

  async #onTick(): Promise<void> {
    const { store, worker, settings } = this.#world;
    const nowMs = performance.now();
    if (this.#wasElsewhere(nowMs)) {
      // Renew what is ours before judging others, and judge nobody for one lease length (D8).
      this.#noSweepBeforeMs = nowMs + settings.leaseMs;
      await this.#leases.renewAll();
    }
    await store.heartbeat(worker);
    this.#lastBeatMs = performance.now();
    const changes = await store.changedSince(this.#cursor);
    this.#cursor = changes.cursor;
    for (const { itemId } of changes.items) {
      const state = await store.load(itemId);
      if (state) this.#scheduler.observe(state);
    }
    if (nowMs >= this.#noSweepBeforeMs) await this.#sweep();
    this.#scheduler.wake();
    this.#wakeWaiters();
  }

  /**
   * We were frozen, or the machine slept, or its clock was set: leases that look expired may only look so. In a sleep
   * the monotonic clock stands still, so that the wall's step against it is all that tells.
   */
  #wasElsewhere(nowMs: number): boolean {
    const { now, settings } = this.#world;
    const wallMs = now();
    const elapsedMs = nowMs - this.#lastTickMs;
    const steppedMs = wallMs - this.#lastWallMs - elapsedMs;
    this.#lastTickMs = nowMs;
    this.#lastWallMs = wallMs;
    return elapsedMs > settings.pollMs + settings.leaseMs / 2 || Math.abs(steppedMs) > settings.leaseMs / 2;
  }

  async #sweep(): Promise<void> {
    // As of the last look at the clock: it may have been set since.
    await sweepRuns(this.#world, this.#scheduler.liveRuns, this.#lastWallMs);
    await sweepProcesses(this.#world);
  }

  #wakeWaiters(): void {
    for (const wake of this.#waiters) wake();
  }

  /** Asks again after every commit and every tick, until the answer is yes. */
  async #until(isTrue: () => Promise<boolean>): Promise<void> {
    const isNow = (): Promise<boolean> =>
      // A store that fails for a moment says neither yes nor no.
      isTrue().catch((error) => {
        if (isPassing(error)) return false;
        throw error;
      });
    while (!this.#stopped && !(await isNow())) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiters.delete(wake);
          resolve();
        };
        this.#waiters.add(wake);
      });
    }
  }

  async untilIdle(): Promise<void> {
    const { store, now } = this.#world;
    await this.#until(async () => {
      if (this.#scheduler.busy) return false;
      if ((await store.liveRuns()).length > 0) return false;
      if ((await store.dueItems({ now: now(), limit: 1 })).length > 0) return false;
      return (await store.nextDueAt(now())) === null;
    });
  }

  async untilSettled(itemId: string): Promise<ItemState> {
    const { store } = this.#world;
    let state = await store.load(itemId);
    await this.#until(async () => {
      state = await store.load(itemId);
      return state === undefined || canOnlyWait(state);
    });
    if (!state) throw new Error(`item ${itemId} does not exist`);
    return state;
  }

  /** What does not end in time is left to its lease: the next sweeper finds it. */
  async #withDeadline(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#world.settings.shutdownMs);
    });
    await Promise.race([work, deadline]);
    clearTimeout(timer);
  }

  /** However often it is asked for, it happens once, and every caller waits for its end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#tick;
    await this.#withDeadline(this.#scheduler.stop());
    this.#unsubscribe?.();
    // A store that cannot take it now leaves us to be found dead, which is true by then; nobody waits for ever.
    await this.#world.store
      .stopWorker(this.#world.worker.owner)
      .catch((error) => this.#world.log('the end was not recorded', { error: String(error) }));
    this.#wakeWaiters();
  }
}
