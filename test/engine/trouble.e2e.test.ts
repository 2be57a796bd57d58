import { rm, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openEngine } from '../../src/engine/index.ts';
import { until } from '../support/until.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const PLAN = `
goal: change a
criteria:
  - text: a says hello
    check: grep -q hello a.txt
actions:
  - id: fix
    run: echo hello > a.txt; while [ ! -e "$GO" ]; do sleep 0.05; done
    for: [c1]
    env: {GO: GOFILE}
    sandbox: {readable: [GODIR]}
`;

describe('a branch step that keeps failing', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('holds the item with the cause instead of being tried for ever, and goes on when resumed', async () => {
    bench = await openWorkbench({ sandbox: false });
    const go = `${bench.root}/go`;
    const submitted = await bench.submit(PLAN.replace('GOFILE', go).replace('GODIR', bench.root));
    if ('code' in submitted) throw new Error(submitted.message);
    const { id } = submitted.state;
    const engine = bench.engine();
    await engine.start();
    const broken = `${bench.world.home.repository(id)}/refs/heads/workcenter/${id}`;
    const ref = await breakBranch(bench, id, broken);
    await writeFile(go, '');
    const held = await engine.untilSettled(id);
    expect(held.hold?.code).toBe('engine_trouble');
    await writeFile(broken, ref);
    const { controlVersion } = held;
    const body = { type: 'ResumeItem', controlVersion } as const;
    await bench.world.store.execute({ itemId: id, principal: { kind: 'user', name: 'test' }, body });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });
});

const MERGE = `
goal: change a
criteria:
  - text: a says hello
    check: grep -q hello a.txt
delivery: {target: merge, branch: main}
actions:
  - run: echo hello > a.txt
`;

describe('a branch step that stays due and changes nothing', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('is waited for while another process may be at it, then holds the item with the reason', async () => {
    bench = await openWorkbench({ sandbox: false });
    let offsetMs = 0;
    const engine = openEngine({ ...bench.world, now: () => Date.now() + offsetMs });
    const submitted = await bench.submit(MERGE);
    if ('code' in submitted) throw new Error(submitted.message);
    const { id, base } = submitted.state;
    if (base.kind !== 'git') throw new Error('no git base');
    await bench.world.store.acquireLease(`ref:${base.gitDir}:main`, 'somebody', 3_600_000);
    await engine.start();
    await until('the branch is published', async () => (await bench.world.store.load(id))?.published !== undefined);
    expect((await bench.world.store.load(id))?.hold).toBeUndefined();
    const ticking = setInterval(() => {
      offsetMs += 120_000;
    }, 500);
    const held = await engine.untilSettled(id);
    clearInterval(ticking);
    await engine.stop();
    expect(held.hold).toMatchObject({ code: 'engine_trouble' });
    expect(held.hold?.details).toContain('"land" has been due for 5 minutes');
    expect(held.landing.kind).toBe('none');
  });
});

/** Waits until the engine's repository is there, then puts nonsense into its branch. */
async function breakBranch(bench: Workbench, id: string, path: string): Promise<string> {
  const { base } = (await bench.world.store.load(id)) ?? {};
  if (base?.kind !== 'git') throw new Error('no base');
  for (;;) {
    const [run] = await bench.world.store.runs(id);
    if (run?.dispatchedAt) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await rm(path, { force: true });
  await writeFile(path, 'nonsense\n');
  return `${base.commit}\n`;
}
