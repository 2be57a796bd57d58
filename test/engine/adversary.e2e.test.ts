import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ItemState, Receipt } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { complaints, openRig, type Rig, until } from '../support/rig.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { actionOf, carried } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const FILES = {
  '.gitignore': 'node_modules/\n*.pyc\n',
  'sum.sh': 'echo 3\n',
  'test/sum.test.sh': 'test "$(sh sum.sh)" = 4\n',
  'package.json': '{ "name": "p", "scripts": { "test": "runner sum.sh" } }\n',
  'calc.py': 'def total():\n    return 3\n',
  'check.py': 'import unittest, calc\nassert calc.total() == 4\n',
};

const planOf = (check: string, run: string): string =>
  JSON.stringify({
    goal: 'tell the truth',
    criteria: [{ text: 'it works', check: { run: check } }],
    actions: [{ id: 'work', run, maxAttempts: 1, timeoutSec: 60, for: ['c1'] }],
  });

const HONEST = 'sh test/sum.test.sh';

function receiptOf(state: ItemState): Receipt {
  const last = state.actions.flatMap((candidate) => candidate.lastRun?.receipts ?? []).at(-1);
  if (!last) throw new Error('there is no receipt');
  return last;
}

const noShim = 'printf "#!/bin/sh\\nexit 0\\n" > node_modules/.bin/runner && chmod +x node_modules/.bin/runner';
const leave = 'import os\\nos._exit(0)\\n';

/** What makes a check green without the work: how, the check, and the path that has to be named. */
const SHADOWS: readonly (readonly [what: string, check: string, attack: string, path: string])[] = [
  [
    'a program committed into an ignored dependency folder',
    'npm test --silent',
    `mkdir -p node_modules/.bin && ${noShim} && git add -f node_modules && git commit -qm x`,
    'node_modules/.bin/runner',
  ],
  [
    'a module that stands before the test runner of its name',
    'python3 check.py',
    `printf '${leave}' > unittest.py`,
    'unittest.py',
  ],
  [
    'a module that the language loads by itself',
    'PYTHONPATH=. python3 check.py',
    `printf '${leave}' > sitecustomize.py`,
    'sitecustomize.py',
  ],
  ['a configuration of the package manager', 'npm test --silent', 'echo script-shell=/bin/true > .npmrc', '.npmrc'],
];

/** Each tries to make the engine believe, trip, or run something; none is proof. */
const FORGERIES: readonly (readonly [what: string, attack: string])[] = [
  ['an outcome that is a link', 'ln -s /etc/passwd "$WORKCENTER_OUTCOME"'],
  ['an outcome that is a pipe', 'mkfifo "$WORKCENTER_OUTCOME"'],
  ['an outcome that is a folder', 'mkdir -p "$WORKCENTER_OUTCOME/x"'],
  [
    'an outcome beside another exit',
    `echo 0 > "$(dirname "$WORKCENTER_OUTCOME")/exit"; echo '{"outcome":"completed","summary":"ok"}' > "$WORKCENTER_OUTCOME"; exit 3`,
  ],
  [
    'objects replaced',
    'git replace $(git rev-parse HEAD:sum.sh) $(echo echo 4 | git hash-object -w --stdin); git commit -q --allow-empty -m e',
  ],
  ['another lender of objects', 'git commit -q --allow-empty -m a; echo /etc >> .git/objects/info/alternates'],
  ['a git directory that is a link', 'mv .git g2; ln -s g2 .git'],
  ['a git directory that is a file', 'mv .git g2; echo "gitdir: /tmp" > .git'],
  [
    'names that mean something',
    `touch -- '*' '-rf' ':(glob)x' "$(printf 'a\\nb')" "$(printf '\\377')" 'SUM.SH' 'end '; mkdir -p .Git/hooks; echo x > .Git/config`,
  ],
  ['folders that lead outside', 'rm -rf test; ln -s /etc test; ln -s / root'],
];

describe('an Action that wants done without proof', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it.each(FORGERIES)('D22, D23: %s proves nothing, and the engine goes on', async (_what, attack) => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(bench, planOf(HONEST, attack));
    expect(state.lifecycle).toBe('open');
    expect(state.hold).toBeUndefined();
    expect(actionOf(state, 'work').status).toBe('failed');
    expect(bench.logs.filter((line) => line.startsWith('run failed in the engine'))).toEqual([]);
  });

  it.each(SHADOWS)('D23: %s is flagged with its path', async (_what, check, attack, path) => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(bench, planOf(check, attack));
    const receipt = receiptOf(state);
    expect(receipt.verdict).toBe('passed');
    expect(receipt.flags).toContain('script_changed');
    expect(receipt.changed).toContain(path);
  });

  it('D31: configuration, hooks and filters of a clone are never run by the engine', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const mark = join(bench.root, 'mark');
    const attack = [
      `git config filter.x.clean "touch '${mark}'; cat"; git config core.fsmonitor "touch '${mark}'"`,
      `mkdir h; for h in post-checkout post-commit pre-commit reference-transaction post-index-change; do printf "#!/bin/sh\\ntouch '${mark}'\\n" > h/$h; done`,
      'chmod +x h/*; echo "* filter=x" > .gitattributes; echo x > new.txt',
      'git config core.hooksPath h; git config core.worktree /; git config extensions.worktreeConfig true',
    ].join('; ');
    const state = await carried(bench, planOf(HONEST, attack));
    expect(actionOf(state, 'work').lastRun).toMatchObject({ code: 'claim_refused' });
    expect(existsSync(mark)).toBe(false);
  });
});

describe('clocks that are set while a Run is live', () => {
  let rig: Rig;
  afterEach(async () => expect(await rig.close()).toBe(0));

  const waiting = (): string =>
    JSON.stringify({
      goal: 'work once',
      criteria: ['it was done'],
      actions: [
        {
          id: 'work',
          run: `echo start >> '${rig.ledger}/lines'; while [ ! -e '${rig.ledger}/go' ]; do sleep 0.05; done; echo done > a.txt`,
          maxAttempts: 3,
          timeoutSec: 60,
          for: ['c1'],
        },
      ],
    });

  it('D8: an hour forward makes no engine take the Run of another that is alive', async () => {
    rig = await openRig();
    let offsetMs = 0;
    const now = (): number => Date.now() + offsetMs;
    const mine = { ...(await rig.world({ store: { now } })), now };
    let heartbeats = 0;
    const watched = await rig.world({
      store: { now },
      wrap: (store) => ({
        ...store,
        heartbeat: async (worker) => {
          await store.heartbeat(worker);
          heartbeats += 1;
        },
      }),
    });
    const item = await submitPlan(mine, waiting(), rig.repo);
    const engine = openEngine(mine);
    await engine.start();
    await until('the command runs', async () => (await rig.noted()).length > 0);
    const other = openEngine({ ...watched, now });
    await other.start();
    await until('the other looks around', () => heartbeats > 2);
    offsetMs = 3_600_000;
    const before = heartbeats;
    await until('the other has looked after the jump', () => heartbeats > before + 3);
    await writeFile(join(rig.ledger, 'go'), '');
    const state = await engine.untilSettled(item.id);
    await Promise.all([engine.stop(), other.stop()]);
    expect(state.lifecycle).toBe('done');
    expect(await rig.noted()).toEqual(['start']);
    expect(await complaints(mine.store)).toEqual([]);
  });

  it('D8: ten minutes back do not make a short back-off last ten minutes', async () => {
    rig = await openRig();
    await mkdir(join(rig.ledger, 'tries'));
    let offsetMs = 0;
    const now = (): number => Date.now() + offsetMs;
    const world = { ...(await rig.world({ store: { now } })), now };
    const run = `echo try >> '${rig.ledger}/lines'; [ "$(wc -l < '${rig.ledger}/lines')" -ge 2 ] && echo done > a.txt`;
    const plan = { goal: 'g', criteria: ['it was done'], actions: [{ id: 'work', run, maxAttempts: 3, for: ['c1'] }] };
    const item = await submitPlan(world, JSON.stringify(plan), rig.repo);
    const engine = openEngine(world);
    await engine.start();
    await until('it was tried', async () => (await rig.noted()).length > 0);
    offsetMs = -600_000;
    await until('it is done', async () => (await world.store.load(item.id))?.lifecycle === 'done', 60_000);
    await engine.stop();
    expect(await complaints(world.store)).toEqual([]);
  });
});

describe('an Action that bends what is installed in a plain directory', () => {
  let rig: Rig;
  afterEach(async () => expect(await rig.close()).toBe(0));

  async function judged(check: string, run: string): Promise<Receipt> {
    rig = await openRig();
    const directory = join(rig.root, 'plain');
    await mkdir(join(directory, 'node_modules/.bin'), { recursive: true });
    await writeFile(join(directory, 'node_modules/.bin/runner'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await writeFile(join(directory, 'package.json'), '{ "name": "p", "scripts": { "test": "runner" } }\n');
    await writeFile(join(directory, 'calc.py'), FILES['calc.py']);
    const world = await rig.world();
    const item = await submitPlan(world, planOf(check, `${run}; echo new > new.txt`), directory);
    const engine = openEngine(world);
    await engine.start();
    const state = await engine.untilSettled(item.id);
    await engine.stop();
    return receiptOf(state);
  }

  it('D23: a program among the packages is flagged with their folder, and the base is judged by its own', async () => {
    const receipt = await judged('npm test --silent', 'printf "#!/bin/sh\\nexit 0\\n" > node_modules/.bin/runner');
    expect(receipt).toMatchObject({ verdict: 'passed', base: { verdict: 'wrong_exit' } });
    expect(receipt.flags).toContain('script_changed');
    expect(receipt.changed).toContain('node_modules');
  });

  it('D23: code compiled beside its source is not what a check runs', async () => {
    const compile =
      'import py_compile as p; from pathlib import Path; c = Path("calc.py"); s = c.read_text(); ' +
      'c.write_text(s.replace("3", "4")); p.compile("calc.py", invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH); c.write_text(s)';
    const check = 'python3 -c "import calc; assert calc.total() == 4"';
    const receipt = await judged(check, `python3 -c '${compile}'; ls __pycache__`);
    expect(receipt.verdict).toBe('wrong_exit');
  });
});
