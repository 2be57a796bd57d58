import { afterEach, describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from './workbench.ts';

const PLAN = `
goal: change both files
criteria:
  - text: a says hello
    check: grep -q hello a.txt
  - text: b says hello
    check: grep -q hello b.txt
actions:
  - id: fix-a
    run: if [ "$WORKCENTER_ATTEMPT" = 1 ]; then echo all good; else echo hello > a.txt; fi
    for: [c1]
  - id: fix-b
    run: echo hello > b.txt
    for: [c2]
`;

describe('a plan file, carried by the engine', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('ends done, with machine proof, a refused claim and a published branch', async () => {
    bench = await openWorkbench();
    const state = await bench.carry(PLAN);
    expect(state.lifecycle).toBe('done');
    expect(state.finalResult?.criteria.map((criterion) => criterion.proof)).toEqual(['machine', 'machine']);
    expect(state.actions.map((action) => [action.id, action.status, action.attempts])).toEqual([
      ['fix-a', 'completed', 2],
      ['fix-b', 'completed', 1],
      ['verify-1', 'completed', 1],
    ]);
    const [first] = (await bench.world.store.runs(state.id, { actionId: 'fix-a' })).slice(-1);
    expect(first?.code).toBe('claim_refused');
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('hello');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });
});
