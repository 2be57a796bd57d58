import type { Setup } from '../../core/model/contract.ts';
import { setupInputs } from '../../plan/compile/setup-inputs.ts';
import { detectProject } from '../../plan/detect/detect-project.ts';
import { lockedSetup } from '../../plan/detect/locked-setup.ts';
import { PLAN_DEFAULTS } from '../../plan/read/schema.ts';
import { machine } from '../machine.ts';
import type { Shell } from '../shell.ts';

/** What runs before checks and Actions, and whether a person said so. */
export interface FoundSetup {
  readonly setup: Setup;
  readonly detected: boolean;
}

/** `--setup` and `--setup-input`, else what the lock files of the directory ask for; an empty `--setup` is none. */
export function setupOf(
  shell: Pick<Shell, 'env'>,
  directory: string,
  run: string | undefined,
  inputs: readonly string[],
): FoundSetup | undefined {
  const context = machine(directory, shell);
  const named = (command: string, files: readonly string[]): Setup => ({
    run: command,
    inputs: files,
    network: 'all',
    timeoutSec: PLAN_DEFAULTS.setupTimeoutSec,
  });
  if (run !== undefined) {
    const exists = (path: string): boolean => context.exists(`${directory}/${path}`);
    const files = inputs.length > 0 ? inputs : setupInputs(run, exists);
    return run.trim() === '' ? undefined : { setup: named(run, files), detected: false };
  }
  const found = lockedSetup(detectProject(context), context);
  return found && { setup: named(found.run, found.inputs), detected: true };
}
