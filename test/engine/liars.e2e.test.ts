import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ItemState, Receipt } from '../../src/core/index.ts';
import { rerunEvidence } from '../../src/engine/index.ts';
import { actionOf, carried, loaded, openRequest } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const criterion = (check: string, more = '') => `
goal: tell the truth
criteria:
  - text: it works
    check:
      run: ${check}
${more}`;

const PROJECT = {
  'sum.sh': 'echo 3\n',
  'test/sum.test.sh': 'test "$(sh sum.sh)" = 4\n',
  'package.json': '{ "name": "p", "scripts": { "test": "sh test/sum.test.sh" } }\n',
};

const action = (run: string, more = '') => `actions:
  - id: work
    run: ${run}
    maxAttempts: 1
    for: [c1]
${more}`;

/** The engine's last receipt about c1: of the final proof, or of the refused claim. */
function receiptOf(state: ItemState): Receipt {
  const last = state.actions.flatMap((candidate) => candidate.lastRun?.receipts ?? []).at(-1);
  if (!last) throw new Error('there is no receipt');
  return last;
}

describe('liars, judged without a model', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  const refused = (state: ItemState, verdict: Receipt['verdict']): Receipt => {
    expect(openRequest(state).subject).toEqual({ kind: 'action_failed', actionId: 'work' });
    expect(state.lifecycle).toBe('open');
    expect(actionOf(state, 'work').lastRun).toMatchObject({ code: 'claim_refused' });
    const receipt = receiptOf(state);
    expect(receipt.verdict).toBe(verdict);
    return receipt;
  };

  it('D23: a check that prints success and exits 1 has failed, and the person is told both', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, criterion('"echo all tests passed; exit 1"') + action('echo x > a.txt'));
    const receipt = refused(state, 'wrong_exit');
    expect(receipt).toMatchObject({ exitCode: 1, log: { tail: 'all tests passed\n' } });
    expect(openRequest(state).details.join('\n')).toContain('wrong_exit (exit 1)');
  });

  it('D23: a check that is missing has failed, not passed', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, criterion('no-such-checker --all') + action('echo x > a.txt'));
    expect(refused(state, 'not_found').exitCode).toBe(127);
  });

  it('D23: a check that does not end in time has failed, and nothing of it is left running', async () => {
    bench = await openWorkbench({ sandbox: false });
    const pidFile = join(bench.root, 'pid');
    // On the base it ends at once, so that only one time limit is waited for.
    const check = `"grep -qx a a.txt || { echo passed; echo $$ > '${pidFile}'; exec sleep 3600; }"`;
    const state = await carried(bench, criterion(check, '      timeoutSec: 1\n') + action('echo x > a.txt'));
    expect(refused(state, 'timed_out').exitCode).toBe(null);
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('D23: a check whose output does not say what was asked has failed although it exits 0', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      criterion('echo 0 tests ran', '      expectOutput: "[1-9][0-9]* tests ran"\n') + action('echo x > a.txt'),
    );
    refused(state, 'output_mismatch');
  });

  it('D23: a check that was green before the work is flagged in receipt and final result', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, criterion('test -e a.txt') + action('echo x > a.txt'));
    expect(state.lifecycle).toBe('done');
    expect(receiptOf(state)).toMatchObject({ verdict: 'passed', base: { verdict: 'passed' } });
    expect(receiptOf(state).flags).toContain('already_green');
    expect(state.finalResult?.criteria[0]?.flags).toContain('already_green');
  });

  it('D22: exit 0 that says "all tests pass" and does nothing is refused by the claim check, each attempt', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const state = await carried(
      bench,
      criterion('sh test/sum.test.sh') + action('echo all tests pass').replace('maxAttempts: 1', 'maxAttempts: 2'),
    );
    refused(state, 'wrong_exit');
    expect(actionOf(state, 'work').attempts).toBe(2);
  });

  it('D23: an edited protected test is put back before the check, which fails and says so', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const plan =
      criterion('sh test/sum.test.sh', '      protect: ["test/**"]\n') + action('echo true > test/sum.test.sh');
    const receipt = refused(await carried(bench, plan), 'wrong_exit');
    expect(receipt.flags).toContain('protected_restored');
    expect(receipt.changed).toEqual(['test/sum.test.sh']);
    expect(receipt.diffHash).toBeDefined();
  });

  it('D23: an unprotected test that was bent passes with its paths and diff flagged up to the final result', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const state = await carried(bench, criterion('sh test/sum.test.sh') + action('echo true > test/sum.test.sh'));
    expect(state.lifecycle).toBe('done');
    const receipt = receiptOf(state);
    expect(receipt.flags).toEqual(expect.arrayContaining(['red_to_green', 'tests_changed']));
    expect(receipt.changed).toEqual(['test/sum.test.sh']);
    const diff = await bench.world.store.getContent(receipt.diffHash ?? '');
    expect(Buffer.from(diff ?? []).toString()).toContain('+true');
    expect(state.finalResult?.criteria[0]?.flags).toContain('tests_changed');
  });

  it('D24: with minProof machine-protected the bent test is no proof, and the item asks', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const protect = '      protect: [elsewhere/**]\n';
    const plan = criterion('sh test/sum.test.sh', protect) + action('echo true > test/sum.test.sh');
    const state = await carried(bench, plan.replace('    check:', '    minProof: machine-protected\n    check:'));
    expect(state.lifecycle).toBe('open');
    expect(openRequest(state).subject.kind).toBe('verification_failed');
    expect(openRequest(state).details.join()).toContain('c1 is weak');
  });

  it('D23: a test script set to true is flagged script_changed with the path', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const bend = `'sed -i s/sh.test.sum.test.sh/true/ package.json'`;
    const state = await carried(bench, criterion('npm test --silent') + action(bend));
    expect(state.lifecycle).toBe('done');
    const receipt = receiptOf(state);
    expect(receipt.flags).toContain('script_changed');
    expect(receipt.changed).toEqual(['package.json']);
    expect(state.finalResult?.criteria[0]?.flags).toContain('script_changed');
  });

  it('D24: the final result counts a claim without a check as self, and names no machine', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, `goal: say so\ncriteria: [it is nice]\n${action('echo x > a.txt')}`);
    expect(state.finalResult?.criteria).toMatchObject([{ criterionId: 'c1', proof: 'self' }]);
  });

  it('D23: evidence is repeated on the recorded commit, whatever the checkout looks like by then', async () => {
    bench = await openWorkbench({ sandbox: false, files: PROJECT });
    const state = await carried(bench, criterion('sh test/sum.test.sh') + action('echo echo 4 > sum.sh'));
    expect(state.lifecycle).toBe('done');
    await bench.write('sum.sh', 'echo broken\n');
    const again = await rerunEvidence(bench.world, await loaded(bench, state.id));
    if (again.kind !== 'rerun') throw new Error(again.why);
    const [receipt] = again.receipts;
    expect(receipt).toMatchObject({
      verdict: 'passed',
      exitCode: 0,
      at: state.finalResult?.commit,
      base: { verdict: 'wrong_exit' },
    });
    expect(receipt?.flags).toContain('red_to_green');
    expect((await loaded(bench, state.id)).version).toBe(state.version);
  });

  it('D23: evidence of a criterion without a check cannot be repeated, and says so', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, `goal: say so\ncriteria: [it is nice]\n${action('echo x > a.txt')}`);
    expect(await rerunEvidence(bench.world, state)).toMatchObject({ kind: 'impossible' });
  });
});
