import { Worker } from 'node:worker_threads';

export interface CheckpointerOptions {
  readonly path: string;
  readonly durability: 'full' | 'normal';
  /** Sets the size in pages at which a commit of this connection checkpoints by itself. */
  readonly boundLog: (pages: number) => void;
  readonly bounds?: CheckpointBounds;
}

/** When a thread is started, what it does at which size of the log; pages are 4 KiB. */
export interface CheckpointBounds {
  /** Commits of this connection before the thread is started: a command line never gets there. */
  readonly startAfterCommits: number;
  /** Commits between two looks at the log. */
  readonly everyCommits: number;
  /** Fewer new pages than this are left for later. */
  readonly workPages: number;
  /** A log of this size begins anew, which locks writers out for a moment. */
  readonly restartPages: number;
  /** Without the thread, a commit checkpoints at this size. */
  readonly alonePages: number;
  /** With it, only at this one: the bound should the thread fall behind. */
  readonly besidePages: number;
}

export const CHECKPOINT_BOUNDS: CheckpointBounds = Object.freeze({
  startAfterCommits: 64,
  everyCommits: 128,
  workPages: 1_000,
  restartPages: 3_000,
  alonePages: 1_000,
  besidePages: 16_384,
});

/** How long the thread waits for readers of an old part of the log; writers are locked out meanwhile. */
const PATIENCE_MS = 100;

/** Keeps the write-ahead log small without making this thread wait for it. */
export interface Checkpointer {
  /** To be called after every commit; costs a count. */
  readonly committed: () => void;
  /** Resolves when the thread, if there was one, has let go of the file. */
  readonly stop: () => Promise<void>;
}

/** A thread needs little: it moves pages, and what it loads is one driver. */
const RESOURCES = Object.freeze({ maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 });

/**
 * A checkpoint reads, writes and syncs for as long as the disk takes. Once a process has committed often enough to be
 * more than a short command, a thread of its own does that; until then, and if the thread fails, commits do it at a
 * small size of the log, as SQLite does by itself. The thread keeps no process alive.
 */
export function checkpointer(options: CheckpointerOptions): Checkpointer {
  const { path, durability, boundLog, bounds = CHECKPOINT_BOUNDS } = options;
  let commits = 0;
  let nextAt = bounds.startAfterCommits;
  let isTending = false;
  let thread: Worker | undefined;
  let gone: Promise<void> = Promise.resolve();
  let isOver = false;

  const start = (): Worker => {
    const { workPages, restartPages } = bounds;
    const started = new Worker(new URL('./checkpoint-thread.mjs', import.meta.url), {
      workerData: { path, durability, workPages, restartPages, patienceMs: PATIENCE_MS },
      resourceLimits: RESOURCES,
      execArgv: [],
    });
    started.on('message', () => {
      isTending = false;
    });
    // Whatever ended it: the exit that follows is what counts.
    started.on('error', () => undefined);
    gone = new Promise((resolve) => {
      started.once('exit', () => {
        if (!isOver) boundLog(bounds.alonePages);
        isOver = true;
        resolve();
      });
    });
    // Last, for listening to messages alone would keep the process alive.
    started.unref();
    boundLog(bounds.besidePages);
    return started;
  };

  return {
    committed: () => {
      commits += 1;
      if (commits < nextAt || isOver) return;
      nextAt = commits + bounds.everyCommits;
      thread ??= start();
      if (isTending) return;
      isTending = true;
      thread.postMessage('tend');
    },
    stop: () => {
      isOver = true;
      thread?.ref();
      thread?.postMessage('close');
      return gone;
    },
  };
}
