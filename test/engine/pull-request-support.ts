import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ItemState } from '../../src/core/index.ts';
import { type Engine, openEngine, type World } from '../../src/engine/index.ts';
import { ENV } from '../support/world.ts';
import { loaded, openRequest, submitted, tell } from './control-support.ts';
import { type GithubDouble, githubDouble } from './github-double.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const run = promisify(execFile);

/** The plan of these tests: one command, one check, a pull request into the branch that is checked out. */
export const pullPlan = (
  command = 'echo changed > a.txt',
  delivery = 'pull_request',
  check = 'grep -qx changed a.txt',
) => `
goal: change a
criteria:
  - text: a is changed
    check: ${JSON.stringify(check)}
delivery: ${delivery}
actions:
  - id: work
    run: ${JSON.stringify(command)}
    for: [c1]
`;

/** A workbench whose repository has a bare remote. */
export interface Yard {
  readonly bench: Workbench;
  /** Path of the bare repository. */
  readonly remote: string;
  /** Git in the remote. */
  at(...args: string[]): Promise<string>;
  hook(name: string, script: string): Promise<void>;
  /** An engine with more in its environment. */
  engine(env?: Readonly<Record<string, string>>): Promise<Engine>;
  carry(plan: string, env?: Readonly<Record<string, string>>): Promise<ItemState>;
  /** Answers the one open request, and carries on until only a person can move it. */
  answer(state: ItemState, choice: 'retry' | 'branch_only', env?: Readonly<Record<string, string>>): Promise<ItemState>;
  close(): Promise<void>;
}

export async function openYard(): Promise<Yard> {
  const bench = await openWorkbench({ sandbox: false });
  const remote = join(bench.root, 'remote.git');
  await bench.git('init', '-q', '--bare', '-b', 'main', remote);
  await bench.git('remote', 'add', 'origin', remote);
  await bench.git('push', '-q', 'origin', 'main');
  const bin = join(bench.root, 'bin');
  await script(join(bin, 'gh'), 'exit 1');
  const engines: Engine[] = [];
  const yard: Yard = {
    bench,
    remote,
    at: async (...args) => (await run('git', ['--git-dir', remote, ...args], { env: ENV })).stdout.trim(),
    hook: (name, text) => script(join(remote, 'hooks', name), text),
    async engine(env = {}) {
      const { world } = bench;
      const mine: World = {
        ...world,
        // Nobody is logged in with the `gh` of the machine.
        env: { ...world.env, PATH: `${bin}:${world.env.PATH}`, ...env },
        settings: { ...world.settings, pollMs: 10 },
      };
      const engine = openEngine(mine);
      engines.push(engine);
      await engine.start();
      return engine;
    },
    async carry(plan, env) {
      const id = await submitted(bench, plan);
      return settled(yard, id, env);
    },
    async answer({ id }, choice, env) {
      const requestId = openRequest(await loaded(bench, id)).id;
      await tell(bench, id, { type: 'AnswerRequest', requestId, choice, text: '' });
      return settled(yard, id, env);
    },
    async close() {
      for (const engine of engines) await engine.stop();
      await bench.close();
    },
  };
  return yard;
}

async function settled(yard: Yard, id: string, env?: Readonly<Record<string, string>>): Promise<ItemState> {
  const engine = await yard.engine(env);
  const state = await engine.untilSettled(id);
  await engine.stop();
  return state;
}

async function script(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

export const TOKEN = `ghp_${'0123456789abcdef'.repeat(2)}`;

/** The yard's remote, as a repository of the GitHub that the double is; its settings say so. */
export async function openGithub(yard: Yard, settings: Readonly<Record<string, string>> = {}): Promise<GithubDouble> {
  const github = await githubDouble((branch) => yard.at('rev-parse', `refs/heads/${branch}`));
  const url = `${github.url}/acme/shop.git`;
  await yard.bench.git('remote', 'set-url', 'origin', url);
  await yard.bench.git('config', `url.${yard.remote}.insteadOf`, url);
  const { version, value } = await yard.bench.world.store.readSettings();
  await yard.bench.world.store.writeSettings(version, { ...value, github: { apiUrl: github.url, ...settings } });
  return github;
}
