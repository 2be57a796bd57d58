/**
 * A stand-in for the engine that is killed with SIGKILL by `process.crash.test.ts`. Starts commands and prints a
 * line for each step. Input, as JSON in the first argument: see `FixtureInput`.
 */

import { spawnGuarded } from '../../../src/workspace/process/spawn-guarded.ts';
import type { SandboxPolicy } from '../../../src/workspace/sandbox/policy.ts';
import { probeSandbox } from '../../../src/workspace/sandbox/probe-sandbox.ts';

export interface FixtureInput {
  readonly policy: SandboxPolicy;
  readonly env: Record<string, string>;
  readonly runId: string;
  readonly disabled: boolean;
  readonly commands: number;
  readonly script: string;
  /** Never finish recording: the command must not run. */
  readonly stuckRecording: boolean;
  readonly exitFile?: string;
}

const input: FixtureInput = JSON.parse(process.argv[2] ?? '');
const enforcement = await probeSandbox({ disabled: input.disabled });

async function startOne(index: number): Promise<void> {
  await spawnGuarded({
    argv: ['sh', '-c', input.script],
    cwd: input.policy.workspace,
    env: input.env,
    runTag: `${input.runId}:${index}`,
    sandbox: { policy: input.policy, enforcement },
    ...(input.exitFile === undefined ? {} : { exitFile: input.exitFile }),
    onOutput: ({ bytes }) => {
      process.stdout.write(bytes);
    },
    onSpawned: async () => {
      process.stdout.write('spawned\n');
      if (input.stuckRecording) await new Promise(() => {});
    },
  });
}

await Promise.all(Array.from({ length: input.commands }, (_, index) => startOne(index)));
