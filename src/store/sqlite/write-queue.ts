import type { LoopTurn } from '../loop-turn.ts';

/** Runs `work` in one transaction, all of it or nothing; what `work` throws is thrown after the roll-back. */
export type Transact = <T>(work: () => T) => Promise<T>;

export interface WriteQueue {
  readonly write: Transact;
  /** Begins everything that waits at once, so that nothing asked for before a close comes after it. */
  readonly beginAll: () => void;
}

/** Writers per transaction: each takes a fraction of a millisecond, and the thread has leases to keep. */
const TOGETHER_MAX = 64;

interface Waiting {
  /** Leaves its answer aside; throws what the work throws. */
  readonly attempt: () => void;
  /** Tells the caller the answer of the last attempt. */
  readonly confirm: () => void;
  readonly fail: (error: unknown) => void;
}

function waiting<T>(work: () => T, resolve: (value: T) => void, fail: (error: unknown) => void): Waiting {
  let answer: { readonly value: T } | undefined;
  return {
    attempt: () => {
      answer = { value: work() };
    },
    confirm: () => {
      if (answer) resolve(answer.value);
    },
    fail,
  };
}

async function alone(job: Waiting, transact: Transact): Promise<void> {
  try {
    await transact(job.attempt);
    job.confirm();
  } catch (error) {
    job.fail(error);
  }
}

/**
 * One transaction for all. When the work of one throws, everything is rolled back and each is run by itself, so that
 * nobody pays for another's failure. When the transaction itself fails, its commit may have happened: all are told.
 */
async function together(jobs: readonly Waiting[], transact: Transact): Promise<void> {
  let isUndone = false;
  const attemptAll = (): void => {
    isUndone = true;
    for (const job of jobs) job.attempt();
    isUndone = false;
  };
  try {
    await transact(attemptAll);
  } catch (error) {
    if (!isUndone) return jobs.forEach((job) => void job.fail(error));
    for (const job of jobs) await alone(job, transact);
    return;
  }
  for (const job of jobs) job.confirm();
}

/**
 * Group commit. Work that is asked for in one turn of the event loop runs in the order of asking, in one transaction;
 * a single writer pays nothing for it. Nobody is told anything before the commit.
 */
export function writeQueue(transact: Transact, turn: LoopTurn): WriteQueue {
  let queue: Waiting[] = [];
  const drain = (): void => {
    const jobs = queue.slice(0, TOGETHER_MAX);
    queue = queue.slice(TOGETHER_MAX);
    const [only] = jobs;
    if (!only) return;
    void (jobs.length === 1 ? alone(only, transact) : together(jobs, transact));
    if (queue.length > 0) void turn.take().then(drain);
  };
  return {
    beginAll: () => {
      while (queue.length > 0) drain();
    },
    write: (work) =>
      new Promise((resolve, reject) => {
        queue.push(waiting(work, resolve, reject));
        if (queue.length > 1) return;
        if (turn.isDue()) void turn.take().then(drain);
        else queueMicrotask(drain);
      }),
  };
}
