import { statfsSync } from 'node:fs';
import { type Due, decisionDueAt, dueOf, type ItemState, type LiveRun } from '../../core/index.ts';
import { advanceBranch, nextStep } from '../branch/advance-branch.ts';
import { EngineStopping } from '../calls/patient-signal.ts';
import { carryTurn } from '../turn/carry-turn.ts';
import { issue, type World, wasRefused } from '../world.ts';

type ClaimStep = Extract<Due, { kind: 'claim' }>;

export interface SchedulerHooks {
  /** Carries a claimed Run to its end; resolves when it has settled and cleaned up. */
  readonly carry: (state: ItemState, run: LiveRun, signal: AbortSignal) => Promise<void>;
  /** Something this scheduler was busy with has ended: whoever waits for quiet asks again. */
  readonly onQuieter: () => void;
  /** Only these items, when the process serves one submission. */
  readonly only?: ReadonlySet<string>;
}

/** Refusals after which looking at further items is useless for now. */
const STOPS_PASS: ReadonlySet<string> = new Set(['concurrency_full', 'store_busy']);
const PAGE = 64;
const TROUBLES_MAX = 3;
const IDLE_STEP_MAX_MS = 5 * 60_000;
const DETAIL_CHARS = 1_000;

/**
 * Starts what is due. Woken by commits in this process, by the poll for everybody else's; a wake that comes while a
 * pass is under way causes one more (architecture, "Wake-driven"). Slots are re-checked by the door, so several
 * processes may schedule at once.
 */
export class Scheduler {
  readonly #world: World;
  readonly #hooks: SchedulerHooks;
  readonly #runs = new Map<string, { readonly done: Promise<void>; readonly abort: AbortController }>();
  readonly #branches = new Map<string, Promise<void>>();
  /** Coordinator turns that this process carries, by item. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #pass: Promise<void> | undefined;
  #again = false;

  constructor(world: World, hooks: SchedulerHooks) {
    this.#world = world;
    this.#hooks = hooks;
  }

  get busy(): boolean {
    return this.#runs.size > 0 || this.#branches.size > 0 || this.#turns.size > 0 || this.#pass !== undefined;
  }

  get liveRuns(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  /** Looks for due work now, or once more after the pass that is under way. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#pass !== undefined) {
      this.#again = true;
      return;
    }
    this.#pass = this.#passes().finally(() => {
      this.#pass = undefined;
      this.#hooks.onQuieter();
    });
  }

  /** A committed state: ends Runs it no longer knows, and takes branch steps without waiting for a pass. */
  observe(state: ItemState): void {
    if (!this.#isMine(state.id)) return;
    this.#advance(state);
    this.#decide(state);
    const live = new Set(state.runs.map((run) => run.id));
    for (const [runId, entry] of this.#runs) {
      if (this.#itemOf.get(runId) === state.id && !live.has(runId))
        entry.abort.abort(new Error('the Run was taken away'));
    }
  }

  readonly #itemOf = new Map<string, string>();
  /** Failures in a row of an item's branch steps. */
  readonly #troubles = new Map<string, number>();
  /** Since when, at which version, a due branch step has changed nothing. */
  readonly #idle = new Map<string, { readonly version: number; readonly sinceMs: number }>();

  loseRun(runId: string): void {
    this.#runs.get(runId)?.abort.abort(new Error('the lease was lost'));
  }

  /** Stops claiming, ends live Runs, waits for them to settle (REC-4). */
  async stop(): Promise<void> {
    this.#stopping.abort(new EngineStopping());
    for (const entry of this.#runs.values()) entry.abort.abort(new EngineStopping());
    await this.#pass;
    const others = [...this.#branches.values(), ...this.#turns.values()];
    await Promise.allSettled([...others, ...[...this.#runs.values()].map((entry) => entry.done)]);
  }

  #isMine(itemId: string): boolean {
    return this.#hooks.only === undefined || this.#hooks.only.has(itemId);
  }

  async #passes(): Promise<void> {
    do {
      this.#again = false;
      await this.#onePass().catch((error) => this.#world.log('scheduling failed', { error: String(error) }));
    } while (this.#again && !this.#stopping.signal.aborted);
  }

  async #onePass(): Promise<void> {
    const { only } = this.#hooks;
    if (only === undefined) return this.#everyItem();
    // One submission's process does not page through everybody else's work.
    for (const itemId of only) if (!this.#stopping.signal.aborted) await this.#startOne(itemId);
  }

  async #everyItem(): Promise<void> {
    const { store, now, settings } = this.#world;
    let after: { itemId: string; claimKey: number } | undefined;
    for (;;) {
      const page = await store.dueItems({ now: now(), limit: PAGE, ...(after ? { after } : {}) });
      for (const entry of page) {
        if (this.#stopping.signal.aborted) return;
        const more = await this.#startOne(entry.itemId);
        if (!more && this.#runs.size >= settings.concurrency) return;
      }
      after = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  /** Branch steps and at most one claim of an item, so that items take turns; false when slots are gone. */
  async #startOne(itemId: string): Promise<boolean> {
    const state = await this.#world.store.load(itemId);
    if (!state) return true;
    this.#advance(state);
    this.#decide(state);
    const now = this.#world.now();
    for (const step of dueOf(state)) {
      if (step.kind !== 'claim' || step.at > now) continue;
      const outcome = await this.#claim(state, step);
      if (outcome === 'claimed') {
        this.#again = true;
        return true;
      }
      if (outcome === 'full') return false;
    }
    return true;
  }

  async #claim(state: ItemState, step: ClaimStep): Promise<'claimed' | 'full' | 'refused'> {
    const { newId, worker, settings, log } = this.#world;
    if (await this.#diskIsLow(state)) return 'refused';
    const runId = newId();
    const result = await issue(this.#world, state.id, {
      type: 'Claim',
      actionId: step.actionId,
      generation: step.generation,
      runId,
      owner: worker.owner,
      leaseMs: settings.leaseMs,
    });
    if (wasRefused(result)) {
      if (STOPS_PASS.has(result.code)) return 'full';
      log('claim refused', { item: state.id, action: step.actionId, code: result.code });
      return 'refused';
    }
    const run = result.state.runs.find((live) => live.id === runId);
    if (run) this.#start(result.state, run);
    return 'claimed';
  }

  #start(state: ItemState, run: LiveRun): void {
    const abort = new AbortController();
    this.#itemOf.set(run.id, state.id);
    const done = this.#hooks
      .carry(state, run, abort.signal)
      .catch((error) => this.#world.log('run failed in the engine', { run: run.id, error: String(error) }))
      .finally(() => {
        this.#runs.delete(run.id);
        this.#itemOf.delete(run.id);
        this.wake();
      });
    this.#runs.set(run.id, { done, abort });
  }

  #advance(state: ItemState): void {
    if (this.#branches.has(state.id) || this.#stopping.signal.aborted || !nextStep(state)) return;
    const done = advanceBranch(this.#world, state.id, this.#stopping.signal)
      .then(
        (left) => this.#settled(state, left),
        (error) => this.#trouble(state.id, error instanceof Error ? error.message : String(error)),
      )
      .finally(() => {
        this.#branches.delete(state.id);
        this.#hooks.onQuieter();
      });
    this.#branches.set(state.id, done);
  }

  /** One turn at a time per item; the lease decides between processes. */
  #decide(state: ItemState): void {
    if (this.#turns.has(state.id) || this.#stopping.signal.aborted) return;
    const at = decisionDueAt(state);
    if (at === undefined || at > this.#world.now()) return;
    const done = carryTurn(this.#world, state.id, this.#stopping.signal)
      .catch(async (error) => {
        await this.#trouble(state.id, error instanceof Error ? error.message : String(error));
        return false;
      })
      .then((carried) => {
        this.#turns.delete(state.id);
        // Whoever holds the turn elsewhere is noticed by the poll.
        if (carried) this.wake();
        this.#hooks.onQuieter();
      });
    this.#turns.set(state.id, done);
  }

  /** A branch step that keeps failing is not tried for ever: the item is held, with the cause (never a silent stall). */
  /** A step that stays due and changes nothing may wait for another process, but not for ever without a word. */
  async #settled(state: ItemState, left: string | undefined): Promise<void> {
    this.#troubles.delete(state.id);
    const nowMs = this.#world.now();
    const known = this.#idle.get(state.id);
    if (left === undefined) this.#idle.delete(state.id);
    else if (known?.version !== state.version) this.#idle.set(state.id, { version: state.version, sinceMs: nowMs });
    else if (nowMs - known.sinceMs >= IDLE_STEP_MAX_MS) {
      this.#idle.delete(state.id);
      await this.#hold(
        state.id,
        `"${left}" has been due for ${IDLE_STEP_MAX_MS / 60_000} minutes and changes nothing.`,
      );
    }
  }

  async #hold(itemId: string, details: string): Promise<void> {
    await issue(this.#world, itemId, { type: 'HoldItem', code: 'engine_trouble', details }).catch((error) =>
      this.#world.log('hold not written', { item: itemId, error: String(error) }),
    );
  }

  async #trouble(itemId: string, cause: string): Promise<void> {
    const times = (this.#troubles.get(itemId) ?? 0) + 1;
    this.#troubles.set(itemId, times);
    this.#world.log('branch step failed', { item: itemId, times, error: cause });
    if (times < TROUBLES_MAX) return;
    this.#troubles.delete(itemId);
    await this.#hold(itemId, `The engine failed ${times} times in a row at this item: ${cause.slice(0, DETAIL_CHARS)}`);
  }

  /** No Run starts on a nearly full disk; the item says so instead of failing half-way (quality.md). */
  async #diskIsLow(state: ItemState): Promise<boolean> {
    const { home, settings } = this.#world;
    // The kernel answers from memory; a turn through the thread pool took longer than all else before a claim.
    const disk = statfsSync(home.root);
    const freeBytes = disk.bavail * disk.bsize;
    if (freeBytes >= settings.minFreeBytes) return false;
    const details = `Only ${Math.round(freeBytes / 1024 / 1024)} MiB are free where the data lies. Free some, then resume.`;
    await issue(this.#world, state.id, { type: 'HoldItem', code: 'disk_low', details });
    return true;
  }
}
