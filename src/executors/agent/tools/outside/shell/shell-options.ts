import type { spawnGuarded } from '../../../../../workspace/process/spawn-guarded.ts';

/** What a Run sets for its shell. */
export interface ShellToolOptions {
  /** `<runId>:<epoch>`, the mark on everything that is started. */
  readonly runTag: string;
  /** What the Action may see and write besides its workspace; absolute paths. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** Live output, redacted. */
  onOutput?(text: string): void;
  readonly silenceSec?: number;
  readonly spawn?: typeof spawnGuarded;
}
