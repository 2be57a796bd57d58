import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { actionOf, carried, gate, openRequest, reached, started, submitted, tell } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };

const plan = (run: string, more = '') => `
goal: change a
criteria:
  - text: a is changed
    check: grep -qx changed a.txt
${more}actions:
  - id: work
    run: ${JSON.stringify(run)}
    for: [c1]
`;

describe('where results go', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  it('D25: a response is the answer in words; nothing is published', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const answer = 'The answer is in a.txt, line 1.';
    const state = await carried(
      bench,
      `
goal: find it
delivery: response
criteria: [it was found]
actions:
  - id: look
    workspace: read
    run: ${JSON.stringify(`echo '${JSON.stringify({ outcome: 'completed', summary: answer, claims: [{ criterion: 'c1', status: 'passed', evidence: 'seen' }] })}' > "$WORKCENTER_OUTCOME"`)}
    for: [c1]
`,
    );
    expect(state.lifecycle).toBe('done');
    expect(state.finalResult).toMatchObject({ summary: answer, delivery: { target: 'response' } });
    expect(state.finalResult?.publishedBranch).toBeUndefined();
    expect(await bench.git('branch', '--list', 'workcenter/*')).toBe('');
  });

  it('D25: workspace_files without a changed file is no delivery; it asks instead of ending done', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const state = await carried(
      bench,
      'goal: g\ncriteria: [done]\nactions:\n  - { id: idle, run: "true", for: [c1] }\n',
    );
    expect(state.lifecycle).toBe('open');
    expect(openRequest(state).subject).toEqual({ kind: 'delivery_blocked', code: 'no_change' });
    const stopped = await tell(bench, state.id, { type: 'AnswerRequest', requestId: 'r1', choice: 'stop', text: '' });
    expect(stopped.lifecycle).toBe('cancelled');
  });

  it('D11: an external effect that was interrupted is unknown, never repeated by itself, and a person says what it was', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const text = `
goal: tell the world
criteria:
  - text: a is changed
    check: grep -qx changed a.txt
actions:
  - id: post
    effects: external
    run: ${JSON.stringify(`echo posted >> '${bench.root}/posts'; ${door.wait}`)}
  - id: work
    run: echo changed > a.txt
    for: [c1]
    dependsOn: [post]
`;
    const posts = async () => (await readFile(join(bench.root, 'posts'), 'utf8')).trim().split('\n').length;
    const id = await submitted(bench, text);
    const first = await started(bench);
    await reached(door);
    await first.stop();
    const engine = await started(bench);
    const asked = await engine.untilSettled(id);
    const request = openRequest(asked);
    expect(request.subject.kind).toBe('operation_unknown');
    expect(request.choices).toEqual(['applied', 'not_applied', 'stop']);
    expect((await bench.world.store.runs(id, { actionId: 'post' }))[0]?.status).toBe('unknown');
    expect(await posts()).toBe(1);
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'applied', text: '' });
    const after = await engine.untilSettled(id);
    expect(openRequest(after).subject).toEqual({ kind: 'action_failed', actionId: 'post' });
    expect(await posts()).toBe(1);
    const next = openRequest(after);
    await tell(bench, id, { type: 'AnswerRequest', requestId: next.id, choice: 'close', text: 'it was posted' });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(await posts()).toBe(1);
  });

  it('D11: an external effect that provably did not happen runs again once a person says so', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(
      bench,
      plan(`${door.wait}; echo changed > a.txt`).replace('- id: work', '- id: work\n    effects: external'),
    );
    const first = await started(bench);
    await reached(door);
    await first.stop();
    await door.open();
    const engine = await started(bench);
    const request = openRequest(await engine.untilSettled(id));
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'not_applied', text: '' });
    const asked = await engine.untilSettled(id);
    const [again] = asked.requests;
    if (again) await tell(bench, id, { type: 'AnswerRequest', requestId: again.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });

  it('D30: a dirty tree is refused with what is dirty and what to do', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('b.txt', 'mine\n');
    await bench.write('new.txt', 'mine\n');
    const refused = await bench.submit(plan('echo changed > a.txt'));
    expect(refused).toMatchObject({
      code: 'uncommitted_work',
      found: '1 changed and 1 untracked file(s): b.txt, new.txt',
    });
    expect('code' in refused && refused.next).toContain('--dirty snapshot');
    expect(await bench.git('for-each-ref', 'refs/workcenter')).toBe('');
  });

  it('D30: from a snapshot Actions see the edits; the result leaves them out, is verified again, and the branch applies', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('b.txt', 'mine\n');
    await bench.write('new.txt', 'mine too\n');
    const run = 'grep -qx mine b.txt && test -e new.txt && echo changed > a.txt';
    const state = await carried(bench, plan(run), { dirty: 'snapshot' });
    expect(state.lifecycle).toBe('done');
    const branch = `workcenter/${state.id}`;
    expect(await bench.git('diff', '--name-only', 'main', branch)).toBe('a.txt');
    const verified = state.claims.filter(({ by }) => by === 'machine').at(-1)?.receipt;
    expect(verified?.at).toBe(await bench.git('rev-parse', branch));
    expect(await readFile(join(bench.repo, 'b.txt'), 'utf8')).toBe('mine\n');
    await bench.git('merge', '-q', '--ff-only', branch);
    expect((await bench.git('status', '--porcelain')).split('\n').map((line) => line.trim())).toEqual([
      'M b.txt',
      '?? new.txt',
    ]);
  });

  it('D30: a result that cannot do without the edits asks for a commit of them', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('a.txt', 'mine\n');
    const state = await carried(bench, plan('echo changed >> a.txt'), { dirty: 'snapshot' });
    expect(openRequest(state).subject).toEqual({ kind: 'delivery_blocked', code: 'needs_your_edits' });
    expect(openRequest(state).details).toEqual(['a.txt']);
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  it('D30: merge from a snapshot lands beside the edits, and git status shows only them', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('b.txt', 'mine\n');
    const state = await carried(bench, plan('echo changed > a.txt', 'delivery: merge\n'), { dirty: 'snapshot' });
    expect(state.lifecycle).toBe('done');
    expect((await bench.git('status', '--porcelain')).trim()).toBe('M b.txt');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('D29: in place in a repository the files change where they lie, and nothing is committed or staged', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('b.txt', 'mine\n');
    const state = await carried(bench, plan('echo changed > a.txt'), { dirty: 'in-place' });
    expect(state.lifecycle).toBe('done');
    expect((await bench.git('status', '--porcelain')).split('\n').map((line) => line.trim())).toEqual([
      'M a.txt',
      'M b.txt',
    ]);
    expect(await bench.git('rev-list', '--count', '--all')).toBe('1');
    expect(state.finalResult?.outputs).toEqual([{ kind: 'file', ref: 'a.txt' }]);
    expect(state.finalResult?.commit).toBeUndefined();
    expect(state.finalResult?.criteria[0]?.flags).toContain('red_to_green');
  });

  it('D23: in place a protected test is put back in the copy that is checked, and stays as it is in the directory', async () => {
    bench = await openWorkbench({ sandbox: false, files: { 'test/a.sh': 'false\n' } });
    const text = plan('echo true > test/a.sh', 'workspace: in-place\n').replace(
      'check: grep -qx changed a.txt',
      'check: { run: sh test/a.sh, protect: test/** }',
    );
    const state = await carried(bench, text);
    expect(openRequest(state).subject.kind).toBe('verification_failed');
    const receipt = state.claims.find(({ by }) => by === 'machine')?.receipt;
    expect(receipt).toMatchObject({ verdict: 'wrong_exit', changed: ['test/a.sh'] });
    expect(receipt?.flags).toContain('protected_restored');
    expect(await readFile(join(bench.repo, 'test/a.sh'), 'utf8')).toBe('true\n');
  });

  it('D23: a check of an in-place item runs in a copy and leaves nothing in the directory', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const directory = join(bench.root, 'plain');
    await mkdir(directory);
    await writeFile(join(directory, 'a.txt'), 'a\n');
    const text = plan('echo changed > a.txt').replace(
      'grep -qx changed a.txt',
      'touch litter && grep -qx changed a.txt',
    );
    const state = await carried(bench, text, { directory });
    expect(state.lifecycle).toBe('done');
    expect(state.base.kind).toBe('plain');
    await expect(readFile(join(directory, 'litter'))).rejects.toThrow('ENOENT');
    const receipt = state.claims.find(({ by }) => by === 'machine')?.receipt;
    expect(receipt?.at).toMatch(/^content:/);
    expect(receipt?.flags).toContain('red_to_green');
    expect(receipt?.flags).not.toContain('in_place');
  });

  it('D29, rule 4: two in-place items on one directory take turns: the second one starts when the first has let go', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const directory = join(bench.root, 'plain');
    await mkdir(directory);
    const door = gate(bench, 'door');
    const text = (run: string) =>
      `goal: g\ncriteria: [done]\nactions:\n  - { id: work, run: ${JSON.stringify(run)}, for: [c1] }\n`;
    const one = await submitted(bench, text(`test ! -e busy; touch busy; ${door.wait}; rm busy; echo 1 > one`), {
      directory,
    });
    const two = await submitted(bench, text('test ! -e busy && echo 2 > two'), { directory });
    const engine = await started(bench);
    await reached(door);
    await reached({
      isReached: () => bench.logs.some((line) => line.includes(two) && line.includes('workspace_busy')),
    });
    await door.open();
    const ended = [await engine.untilSettled(one), await engine.untilSettled(two)];
    expect(ended.map(({ lifecycle }) => lifecycle)).toEqual(['done', 'done']);
    expect(ended.map((state) => actionOf(state, 'work').attempts)).toEqual([1, 1]);
  });

  it('D29: items in place at the top of a repository and in its subfolder take turns as well', async () => {
    bench = await openWorkbench({ sandbox: false, files: { ...FILES, 'sub/c.txt': 'c\n' } });
    const door = gate(bench, 'door');
    const text = (run: string) =>
      `goal: g\nworkspace: in-place\ncriteria: [done]\nactions:\n  - { id: work, run: ${JSON.stringify(run)}, for: [c1] }\n`;
    const top = await submitted(bench, text(`touch busy; ${door.wait}; rm busy; echo x > a.txt`));
    const sub = await submitted(bench, text('test ! -e ../busy && echo x > c.txt'), {
      directory: join(bench.repo, 'sub'),
    });
    const engine = await started(bench);
    await reached(door);
    await reached({
      isReached: () => bench.logs.some((line) => line.includes(sub) && line.includes('workspace_busy')),
    });
    await door.open();
    const ended = [await engine.untilSettled(top), await engine.untilSettled(sub)];
    expect(ended.map((state) => actionOf(state, 'work').attempts)).toEqual([1, 1]);
    expect(ended.map(({ lifecycle }) => lifecycle)).toEqual(['done', 'done']);
  });
});
