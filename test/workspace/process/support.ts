import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExitReport, GuardedProcess, GuardedSpec } from '../../../src/workspace/process/guarded-process.ts';
import { spawnGuarded } from '../../../src/workspace/process/spawn-guarded.ts';
import { findTagged } from '../../../src/workspace/process/tagged-processes.ts';
import type { Enforcement, SandboxPolicy } from '../../../src/workspace/sandbox/policy.ts';
import { bare, sandboxed } from '../../support/sandboxes.ts';
import { until } from '../../support/until.ts';

export { bare, sandboxed, until };
export const noSandbox = sandboxed.sandbox === 'none';
export const because = noSandbox ? ` (skipped: ${sandboxed.reason})` : '';

/** Test files run side by side, each in a process of its own. */
export const RUN_ID = `run-${process.pid}`;

/** Both ways to run; the sandboxed one only where it works. */
export const ways = [
  { way: 'in bubblewrap', enforcement: sandboxed },
  { way: 'without a sandbox', enforcement: bare },
].filter(({ enforcement }, index) => index === 1 || enforcement.sandbox === 'bubblewrap');

/** A scratch installation in a directory with a space and an umlaut. */
export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly policy: SandboxPolicy;
  readonly exitFile: string;
  readonly env: Record<string, string>;
  remove(): Promise<void>;
}

export async function makePlace(): Promise<Place> {
  const root = await realpath(await mkdtemp('/tmp/work cénter ü-'));
  const at = (...parts: string[]) => join(root, ...parts);
  for (const name of ['data/workspaces/own', 'data/workspaces/sibling', 'data/run', 'home', 'temp', 'user']) {
    await mkdir(at(name), { recursive: true });
  }
  const policy: SandboxPolicy = {
    workspace: at('data/workspaces/own'),
    mode: 'write',
    readable: [],
    writable: [],
    hidden: [at('data')],
    home: at('home'),
    temp: at('temp'),
    userHome: at('user'),
    toolPaths: [],
    network: 'loopback',
  };
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: at('home'), TMPDIR: at('temp') };
  const remove = () => rm(root, { recursive: true, force: true });
  return { root, workspace: policy.workspace, policy, exitFile: at('data/run/exit'), env, remove };
}

export interface Started extends GuardedProcess {
  /** Everything printed so far. */
  text(): string;
  /** Resolves when the output contains the text; rejects if the command ends without it. */
  printed(text: string): Promise<void>;
}

export type StartOptions = Partial<GuardedSpec> & {
  argv: readonly string[];
  enforcement: Enforcement;
  policy?: SandboxPolicy;
};

export async function start(place: Place, options: StartOptions): Promise<Started> {
  let output = '';
  const { enforcement, policy, ...rest } = options;
  const started = await spawnGuarded({
    cwd: place.workspace,
    env: place.env,
    runTag: `${RUN_ID}:1`,
    sandbox: { policy: policy ?? place.policy, enforcement },
    onOutput: ({ bytes }) => {
      output += Buffer.from(bytes).toString('utf8');
    },
    onSpawned: async () => {},
    ...rest,
  });
  const printed = (text: string) => until(`output contains ${text}`, async () => output.includes(text));
  return { ...started, text: () => output, printed };
}

export interface Finished extends ExitReport {
  readonly text: string;
}

export async function finish(place: Place, options: StartOptions): Promise<Finished> {
  const started = await start(place, options);
  const report = await started.exited;
  return { ...report, text: started.text() };
}

export async function countTagged(runId: string): Promise<number> {
  return (await findTagged({ runId })).length;
}
