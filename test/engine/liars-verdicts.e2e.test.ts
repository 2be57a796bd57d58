import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { actionOf, carried, openRequest, started, submitted, tell } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** Two Actions for one criterion: nobody can be blamed alone, so it is judged when both are merged. */
const pair = (check: string, one: string, two: string) => `
goal: together
criteria:
  - text: it holds together
    check: ${JSON.stringify(check)}
actions:
  - id: one
    run: ${JSON.stringify(one)}
    for: [c1]
  - id: two
    run: ${JSON.stringify(two)}
    for: [c1]
`;

describe('verdicts on the whole', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('D32: results that pass alone and break together are caught on the merged tree; retry with guidance ends done', async () => {
    bench = await openWorkbench({ sandbox: false });
    const one = 'if grep -q "agree on ten" "$WORKCENTER_BRIEF"; then echo 10 > one; else echo 11 > one; fi';
    const id = await submitted(bench, pair('test "$(cat one)" = "$(cat two)"', one, 'echo 10 > two'));
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    const request = openRequest(asked);
    expect(request.subject.kind).toBe('verification_failed');
    expect(request.choices).toEqual(['retry', 'verify', 'stop']);
    expect(asked.published).toBeUndefined();
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: 'agree on ten' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${id}:one`, `workcenter/${id}:two`)).toBe('10\n10');
  });

  it('D32: verify asks the checks again, for a machine that was mended, without running any Action', async () => {
    bench = await openWorkbench({ sandbox: false });
    const mended = join(bench.root, 'mended');
    const id = await submitted(bench, pair(`test -e '${mended}' && test -e one`, 'echo 1 > one', 'echo 2 > two'));
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    await writeFile(mended, '');
    await tell(bench, id, { type: 'AnswerRequest', requestId: openRequest(asked).id, choice: 'verify', text: '' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(state.actions.map(({ id: name, attempts }) => [name, attempts])).toEqual([
      ['one', 1],
      ['two', 1],
      ['verify-1', 1],
      ['verify-2', 1],
    ]);
  });

  it('D23: a check that the result itself breaks off has failed, and the other criteria keep their own verdicts', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      `
goal: two things
criteria:
  - text: kills itself
    check: "test ! -e done || kill -9 $$"
  - text: holds
    check: test -e done
actions:
  - id: work
    run: touch done
    maxAttempts: 1
    for: [c1, c2]
`,
    );
    const receipts = actionOf(state, 'work').lastRun?.receipts ?? [];
    expect(receipts.map(({ criterionId, verdict }) => [criterionId, verdict === 'passed'])).toEqual([
      ['c1', false],
      ['c2', true],
    ]);
    expect(state.lifecycle).toBe('open');
  });

  const reviewed = (identity: string, review: string) => `
goal: have it reviewed
criteria:
  - text: somebody else looked at it
    minProof: independent
actions:
  - id: write
    run: echo new > a.txt
    identity: writer
    for: [c1]
  - id: look
    type: review
    workspace: read
    dependsOn: [write]
    identity: ${identity}
    maxAttempts: 1
    for: [c1]
    run: ${JSON.stringify(`grep -qx new a.txt && echo '${review}' > "$WORKCENTER_OUTCOME"`)}
`;
  const APPROVED = JSON.stringify({
    outcome: 'completed',
    summary: 'read it',
    review: 'approved',
    claims: [{ criterion: 'c1', status: 'passed', evidence: 'read' }],
  });

  it('D24: the review of somebody else is independent proof', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, reviewed('reader', APPROVED));
    expect(state.lifecycle).toBe('done');
    expect(state.finalResult?.criteria[0]?.proof).toBe('independent');
  });

  it("D24: the author's own review is not, and the item asks instead of ending done", async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, reviewed('writer', APPROVED));
    expect(state.lifecycle).toBe('open');
    expect(openRequest(state).subject.kind).toBe('proof_missing');
    expect(openRequest(state).details.join()).toContain('c1 is weak');
  });

  it('D22: a review that says nothing, or changes_requested, proves nothing; the latter asks with its words', async () => {
    bench = await openWorkbench({ sandbox: false });
    const silent = await carried(bench, reviewed('reader', '{"outcome":"completed","summary":"hm"}'));
    expect(actionOf(silent, 'look').lastRun?.code).toBe('malformed_outcome');
    const no = '{"outcome":"completed","summary":"the name is wrong","review":"changes_requested"}';
    const refused = await carried(bench, reviewed('reader', no));
    expect(openRequest(refused).subject).toEqual({ kind: 'action_failed', actionId: 'look' });
    expect(openRequest(refused).details.join()).toContain('the name is wrong');
  });
});
