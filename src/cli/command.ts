import type { Command } from 'commander';
import type { Outcome } from './answer.ts';
import type { Input } from './options.ts';
import type { Shell } from './shell.ts';

/** One command of the program; each in a file of its own, loaded only when it is the one that was typed. */
export interface CommandModule {
  /** Adds arguments and options. */
  readonly define: (command: Command) => void;
  /** Lines shown under `--help`. */
  readonly examples: readonly string[];
  /** Needs a person's authority: refused inside of a Run (architecture, "Security posture"). */
  readonly userOnly: boolean;
  /** Whether it works with a server elsewhere (`WORKCENTER_URL`), as it was typed; left out where it never does. */
  readonly remote?: (input: Input) => boolean;
  /** Throws only for defects and for a store that failed. */
  readonly run: (shell: Shell, input: Input) => Promise<Outcome>;
}
