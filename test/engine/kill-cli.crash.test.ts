import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { compiledScript } from '../support/compiled-script.ts';
import { aliveOf, openRig, type Rig, until } from '../support/rig.ts';
import { completions, note, wrongWith } from '../support/scenario.ts';
import { ENV } from '../support/world.ts';

const MAIN = await compiledScript(new URL('../../src/cli/main.ts', import.meta.url));

const environment = (rig: Rig): Record<string, string> => ({ ...ENV, WORKCENTER_HOME: join(rig.root, 'home') });

const run = promisify(execFile);
const workcenter = async (rig: Rig, ...args: string[]): Promise<string> =>
  (await run(process.execPath, [MAIN, ...args], { cwd: rig.repo, env: environment(rig) })).stdout;

function up(rig: Rig): ChildProcess {
  const args = [MAIN, 'up', '--until-idle'];
  return spawn(process.execPath, args, { cwd: rig.repo, env: environment(rig), stdio: 'ignore' });
}

const gone = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

test('`up --until-idle` that is killed while a command runs is simply started again, and finishes (REC-1)', async () => {
  const rig = await openRig();
  const plan = `
goal: change a file
criteria: [{ text: a says hello, check: grep -q hello a.txt }]
sandbox: { writable: ["${rig.ledger}"] }
actions:
  - id: fix-a
    run: |
      if [ ! -e ${rig.ledger}/lines ]; then ${note(rig, 'start fix-a')}; sleep 987654; fi
      echo hello > a.txt; ${note(rig, 'end fix-a')}
    for: [c1]
`;
  await writeFile(join(rig.root, 'plan.yaml'), plan);
  await workcenter(rig, 'run', join(rig.root, 'plan.yaml'), '--detach');
  const first = up(rig);
  let second: ChildProcess | undefined;
  try {
    await until('the command runs', async () => (await rig.noted()).length === 1);
    first.kill('SIGKILL');
    await gone(first);
    second = up(rig);
    expect(await gone(second)).toBe(0);
  } finally {
    first.kill('SIGKILL');
    second?.kill('SIGKILL');
  }
  const { store } = await rig.world();
  const { items } = await store.list({ limit: 10 });
  expect(items.map(({ lifecycle }) => lifecycle)).toEqual(['done']);
  expect(await completions(rig)).toEqual({ 'fix-a': 1 });
  expect(await aliveOf(store)).toBe(0);
  expect(await wrongWith(rig)).toEqual([]);
  expect(await rig.close()).toBe(0);
});
