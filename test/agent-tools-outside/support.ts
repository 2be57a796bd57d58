import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { ToolContext } from '../../src/executors/agent/tool.ts';
import { redact } from '../../src/text/redact.ts';
import { findTagged } from '../../src/workspace/process/tagged-processes.ts';
import type { Enforcement } from '../../src/workspace/sandbox/policy.ts';
import { bare, sandboxed } from '../support/sandboxes.ts';

export { until } from '../support/until.ts';
export { bare, sandboxed };

export const SECRET = 'canary-5b1d-do-not-print';

/** Both ways to run; the sandboxed one only where it works. */
export const ways = [
  { way: 'in bubblewrap', enforcement: sandboxed },
  { way: 'without a sandbox', enforcement: bare },
].filter(({ enforcement }, index) => index === 1 || enforcement.sandbox === 'bubblewrap');

export const noSandbox = sandboxed.sandbox === 'none';
export const because = noSandbox ? ` (skipped: ${sandboxed.reason})` : '';

const RUN_ID = `outside-${process.pid}`;
export const runTag = `${RUN_ID}:1`;

export interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly contents: Map<string, string>;
  spawned(): number;
  context(more?: Partial<ToolContext> & { enforcement?: Enforcement }): ToolContext;
}

const places: string[] = [];

afterEach(async () => {
  const left = await findTagged({ runId: RUN_ID });
  for (const root of places.splice(0)) await rm(root, { recursive: true, force: true });
  expect(left).toEqual([]);
});

/** A workspace with a project folder, and a directory of the Run, in a place with a space in its name. */
export async function makePlace(): Promise<Place> {
  const root = await realpath(await mkdtemp('/tmp/agent tools-'));
  places.push(root);
  const workspace = join(root, 'data', 'own');
  for (const name of ['data/own/project', 'data/run', 'data/other', 'user']) {
    await mkdir(join(root, name), { recursive: true });
  }
  const contents = new Map<string, string>();
  let spawned = 0;
  const context: Place['context'] = ({ enforcement = sandboxed, ...more } = {}) => ({
    signal: new AbortController().signal,
    mode: 'isolated-write',
    workspacePath: workspace,
    projectPath: join(workspace, 'project'),
    runDir: join(root, 'data', 'run'),
    confinement: {
      enforcement,
      parentEnvironment: { PATH: process.env.PATH, LANG: 'C.UTF-8', SECRET_OF_ENGINE: SECRET },
      hidden: [join(root, 'data')],
      readable: [],
      userHome: join(root, 'user'),
      toolPaths: [],
      secrets: [SECRET],
    },
    network: 'none',
    env: {},
    attachments: [],
    skillRoots: [],
    putContent: async (bytes) => {
      const hash = createHash('sha256').update(bytes).digest('hex');
      contents.set(hash, Buffer.from(bytes).toString('utf8'));
      return { hash, bytes: bytes.length };
    },
    redact: (text) => redact(text, [SECRET]),
    onSpawned: async () => {
      spawned += 1;
    },
    now: () => 1_700_000_000_000,
    ...more,
  });
  return { root, workspace, contents, spawned: () => spawned, context };
}
