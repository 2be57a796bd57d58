import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { ActionSpec } from '../../src/core/model/action.ts';
import type { Check, Contract, Criterion } from '../../src/core/model/contract.ts';
import type { Confinement } from '../../src/executors/confinement.ts';
import type { Job, RunIo } from '../../src/executors/executor.ts';
import { findTagged } from '../../src/workspace/process/tagged-processes.ts';
import type { Enforcement } from '../../src/workspace/sandbox/policy.ts';
import { bare, sandboxed } from '../support/sandboxes.ts';
import { until } from '../support/until.ts';

export { bare, sandboxed, until };
export const CANARY = 'canary-7f3e-do-not-print';

/** Test files run side by side, each in a process of its own. */
let runs = 0;
const used: string[] = [];
export function nextRunId(): string {
  runs += 1;
  const id = `executors-${process.pid}-${runs}`;
  used.push(id);
  return id;
}

afterEach(async () => {
  const left = await findTagged({ runIds: new Set(used) });
  expect(left).toEqual([]);
});

export interface Recorder extends RunIo {
  readonly contents: ReadonlyMap<string, string>;
  output(): string;
  spawned(): number;
  /** Resolves when the live output holds the text. */
  printed(text: string): Promise<void>;
  everything(): string;
}

export function recorder(signal: AbortSignal = new AbortController().signal): Recorder {
  const contents = new Map<string, string>();
  let output = '';
  let spawned = 0;
  return {
    contents,
    signal,
    output: () => output,
    spawned: () => spawned,
    everything: () => [output, ...contents.values()].join('\n'),
    printed: (text) => until(`the output holds ${text}`, async () => output.includes(text)),
    onOutput: (_, text) => {
      output += text;
    },
    onSpawned: async () => {
      spawned += 1;
    },
    putContent: async (bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      contents.set(hash, Buffer.from(bytes).toString('utf8'));
      return { hash, bytes: bytes.length };
    },
    now: () => 1_700_000_000_000,
    log: () => {},
  };
}

export async function confinementIn(root: string, enforcement: Enforcement): Promise<Confinement> {
  const userHome = join(root, 'user home');
  await mkdir(userHome, { recursive: true });
  return {
    enforcement,
    parentEnvironment: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', SECRET_OF_ENGINE: CANARY },
    hidden: [join(root, 'data')],
    readable: [],
    userHome,
    toolPaths: [],
    secrets: [CANARY],
  };
}

export function check(run: string, more: Partial<Check> = {}): Check {
  return { run, timeoutSec: 60, expectExit: 0, protect: [], network: 'loopback', ...more };
}

export function criterion(id: string, more: Partial<Criterion> = {}): Criterion {
  return { id, version: 1, text: `It holds ${id}`, minProof: 'self', ...more };
}

export function contract(criteria: readonly Criterion[], more: Partial<Contract> = {}): Contract {
  return {
    title: 'T',
    goal: 'Make it work',
    criteria,
    delivery: { target: 'response' },
    directory: '/nowhere',
    workspace: 'isolated',
    ...more,
  };
}

export function actionSpec(run: string | readonly string[], more: Partial<ActionSpec> = {}): ActionSpec {
  return {
    type: 'task',
    name: 'Do it',
    brief: { objective: 'Write the file' },
    for: ['c1'],
    dependsOn: [],
    workspace: 'isolated-write',
    executor: { kind: 'command', run, identity: 'sh' },
    effects: 'none',
    env: {},
    timeoutSec: 60,
    silenceSec: 0,
    maxAttempts: 3,
    sandbox: { network: 'none', readable: [], writable: [] },
    ...more,
  };
}

export async function commandJob(
  root: string,
  spec: ActionSpec,
  more: Partial<Job> & { enforcement?: Enforcement } = {},
): Promise<Job> {
  const { enforcement = sandboxed, ...rest } = more;
  const runId = nextRunId();
  const workspacePath = join(root, 'data', 'wörk space');
  const runDir = join(root, 'data', 'runs', runId);
  for (const path of [workspacePath, runDir]) await mkdir(path, { recursive: true });
  return {
    itemId: 'item1',
    actionId: 'a1',
    runId,
    epoch: 1,
    attempt: 1,
    spec,
    contract: contract([criterion('c1'), criterion('c2')]),
    guidance: [],
    workspacePath,
    projectPath: workspacePath,
    runDir,
    timeLimitSec: 60,
    confinement: await confinementIn(root, enforcement),
    ...rest,
  };
}
