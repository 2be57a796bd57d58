import type { Setup } from '../../core/model/contract.ts';
import type { spawnGuarded } from '../../workspace/process/spawn-guarded.ts';
import type { Confinement } from '../confinement.ts';
import type { RunIo } from '../executor.ts';
import type { CheckSource } from './check-source.ts';

/** Where and for whom the engine runs a set-up or a check. */
export interface CheckPlace {
  readonly source: CheckSource;
  readonly setup?: Setup;
  readonly runId: string;
  readonly epoch: number;
  /** A directory of this call alone; what is in it goes when the call ends. */
  readonly workDir: string;
  /** The installation's cache of set-ups made from bases. */
  readonly cacheRoot: string;
  readonly confinement: Confinement;
  readonly io: RunIo;
  readonly spawn?: typeof spawnGuarded;
}
