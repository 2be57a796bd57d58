import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type ItemState, OUTCOME_LIMITS } from '../../src/core/index.ts';
import { actionOf, carried, openRequest } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const run = promisify(execFile);

/** A real dependency without a registry: a package archive in the project, and the lock file npm makes of it. */
async function vendorFour(bench: Workbench): Promise<void> {
  const source = join(bench.root, 'four', 'package');
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'package.json'), '{ "name": "four", "version": "1.0.0", "main": "index.js" }\n');
  await writeFile(join(source, 'index.js'), 'module.exports = 4;\n');
  await mkdir(join(bench.repo, 'vendor'));
  await run('tar', ['-czf', join(bench.repo, 'vendor', 'four.tgz'), '-C', join(bench.root, 'four'), 'package']);
  const manifest = { name: 'p', version: '1.0.0', dependencies: { four: 'file:vendor/four.tgz' } };
  await bench.write('package.json', JSON.stringify(manifest));
  await bench.write('.gitignore', 'node_modules\n');
  const npm = [
    'install',
    '--package-lock-only',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--cache',
    join(bench.root, 'npm'),
  ];
  await run('npm', npm, { cwd: bench.repo });
  await bench.commit('Depend on four');
}

const CI = 'npm ci --offline --no-audit --no-fund --loglevel=error';
const FILES = { 'is.js': "process.exit(require('four') === 4 && +process.argv[2] === 4 ? 0 : 1);\n" };

const plan = (actions: string, setup = CI, check = 'node is.js $(cat n.txt)') => `
goal: use the dependency
setup:
  run: ${setup}
  inputs: [package.json, package-lock.json]
criteria:
  - text: it is four
    check: ${check}
actions:
${actions}`;

const receipts = (state: ItemState) => state.actions.flatMap(({ lastRun }) => lastRun?.receipts ?? []);

describe('the set-up', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('D23: is provided to both workspaces and to every check, as a private copy and never as a link', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await vendorFour(bench);
    const seen = (name: string) =>
      `node -e "require('four')" && stat -c '%F %i' node_modules node_modules/four/index.js > '${join(bench.root, name)}'`;
    const state = await carried(
      bench,
      plan(`  - id: one
    run: "${seen('one').replaceAll('"', '\\"')} && echo 4 > n.txt"
    for: [c1]
  - id: two
    run: "${seen('two').replaceAll('"', '\\"')} && echo x > two.txt"
`),
    );
    expect(state.lifecycle).toBe('done');
    const [one, two] = await Promise.all(['one', 'two'].map((name) => readFile(join(bench.root, name), 'utf8')));
    expect(one).toMatch(/^directory \d+\nregular file \d+\n$/);
    expect(one).not.toBe(two);
    expect(receipts(state).every(({ verdict }) => verdict === 'passed')).toBe(true);
    await expect(lstat(join(bench.repo, 'node_modules'))).rejects.toThrow();
    expect(await bench.git('ls-tree', '-r', '--name-only', `workcenter/${state.id}`)).not.toContain('node_modules');
  });

  it('D23: an Action that writes through the dependency folder deceives neither its check nor a sibling', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await vendorFour(bench);
    const lie = "echo 'module.exports = 4; process.exit(0)' > node_modules/four/index.js; echo 5 > n.txt";
    const state = await carried(
      bench,
      plan(`  - id: liar
    run: "${lie}; node is.js 5"
    maxAttempts: 1
    for: [c1]
  - id: honest
    run: node is.js 4
`),
    );
    expect(actionOf(state, 'honest')).toMatchObject({ status: 'completed', attempts: 1 });
    expect(actionOf(state, 'liar').lastRun).toMatchObject({ code: 'claim_refused' });
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'liar' });
  });

  it('D23: a dependency folder that was committed by force is replaced by the set-up and flagged', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await vendorFour(bench);
    const lie = "echo 'process.exit(0)' > node_modules/four/index.js; echo 5 > n.txt; git add -f node_modules n.txt";
    const state = await carried(
      bench,
      plan(`  - id: liar
    run: "${lie}; git -c user.name=l -c user.email=l@example.invalid commit -qm done"
    maxAttempts: 1
    for: [c1]
`),
    );
    expect(actionOf(state, 'liar').lastRun).toMatchObject({ code: 'claim_refused' });
    expect(receipts(state).at(-1)?.verdict).toBe('wrong_exit');
    expect(receipts(state).at(-1)?.flags).toContain('script_changed');
  });

  it('D23: a changed lock file means a fresh set-up, said on the receipt and in the final result', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await vendorFour(bench);
    const state = await carried(
      bench,
      plan(`  - id: upgrade
    run: "sed -i 's/\\\\\\"version\\\\\\": *\\\\\\"1.0.0\\\\\\"/\\\\\\"version\\\\\\":\\\\\\"1.0.1\\\\\\"/' package.json && echo 4 > n.txt"
    for: [c1]
`),
    );
    expect(state.lifecycle).toBe('done');
    expect(receipts(state).at(-1)?.flags).toContain('setup_changed');
    expect(state.finalResult?.criteria[0]?.flags).toContain('setup_changed');
  });

  it('D23: one that fails on the base fails the Action before it runs, with the end of its log', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(
      bench,
      plan('  - id: one\n    run: echo 4 > n.txt\n    for: [c1]\n', '"echo cannot reach the moon; exit 3"'),
    );
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'one' });
    const { lastRun } = actionOf(state, 'one');
    expect(lastRun?.dispatched).toBe(false);
    expect(lastRun?.error).toContain('exit 3');
    expect(lastRun?.error).toContain('cannot reach the moon');
    expect(lastRun?.error?.length).toBeLessThanOrEqual(OUTCOME_LIMITS.errorChars);
    expect(openRequest(state).details.join()).toContain('cannot reach the moon');
  });

  it('D23: the next attempt and the next holder of the shared clone have it afresh, and no result holds it', async () => {
    bench = await openWorkbench({ sandbox: false, files: { 'n.txt': '0\n' } });
    const state = await carried(
      bench,
      `
goal: use the dependency
setup:
  run: mkdir deps && echo four > deps/four
  inputs: [n.txt]
criteria: [it is four]
actions:
  - id: one
    workspace: shared
    run: "grep -qx four deps/four || exit 78; echo poison > deps/four; [ $WORKCENTER_ATTEMPT = 2 ] && echo 4 > one.txt"
  - id: two
    workspace: shared
    dependsOn: [one]
    run: grep -qx four deps/four && echo 4 > two.txt
    for: [c1]
`,
    );
    expect(state.requests).toEqual([]);
    expect(state.lifecycle).toBe('done');
    expect(actionOf(state, 'two').attempts).toBe(1);
    expect(await bench.git('ls-tree', '-r', '--name-only', `workcenter/${state.id}`)).toBe('n.txt\none.txt\ntwo.txt');
  });
});
