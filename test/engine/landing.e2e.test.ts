import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { carried, gate, loaded, openRequest, reached, started, submitted, tell } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

const plan = (run = 'echo landed > a.txt', delivery = 'merge', check = 'grep -qx landed a.txt') => `
goal: land on main
criteria:
  - text: the file is changed
    check: ${check}
delivery: ${delivery}
actions:
  - id: change
    run: ${run}
    for: [c1]
`;

describe('landing on a branch', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  const verifications = async (id: string) =>
    (await loaded(bench, id)).actions.filter(({ spec }) => spec.executor.kind === 'verify').length;

  /** Runs the plan as far as its only Action, lets the person do something meanwhile, and carries on. */
  async function meanwhile(text: (wait: string) => string, act: () => Promise<void>) {
    const door = gate(bench, 'door');
    const id = await submitted(bench, text(door.wait));
    const engine = await started(bench);
    await reached(door);
    await act();
    await door.open();
    return { engine, state: await engine.untilSettled(id) };
  }

  it('D32: a checked-out branch is moved by fast-forward, its files with it, and the tree is clean', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const before = await bench.git('rev-parse', 'main');
    const state = await carried(bench, plan());
    expect(state.lifecycle).toBe('done');
    expect(state.landing).toMatchObject({ kind: 'landed', branch: 'main' });
    expect(await bench.git('rev-parse', 'main')).toBe(state.finalResult?.commit);
    await bench.git('merge-base', '--is-ancestor', before, 'main');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('landed\n');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: a target that moved is rebased onto, verified again, and never forced', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    let theirs = '';
    const { state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt"`),
      async () => {
        await bench.write('b.txt', 'moved\n');
        theirs = await bench.commit('Meanwhile');
      },
    );
    expect(state.lifecycle).toBe('done');
    await bench.git('merge-base', '--is-ancestor', theirs, 'main');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('landed\n');
    expect(await readFile(join(bench.repo, 'b.txt'), 'utf8')).toBe('moved\n');
    expect(await bench.git('status', '--porcelain')).toBe('');
    const events = await bench.world.store.events(state.id);
    const order = events
      .map(({ body }) => (body.type === 'ActionAdded' ? body.action.id : body.type))
      .filter((type) => ['TargetSynced', 'verify-1', 'verify-2', 'LandingReserved'].includes(type));
    expect(order).toEqual(['verify-1', 'TargetSynced', 'verify-2', 'LandingReserved']);
    const receipt = state.claims.filter(({ by }) => by === 'machine').at(-1)?.receipt;
    expect(receipt?.at).toBe(state.finalResult?.commit);
  });

  it('D25: a result that the moved target breaks is not landed', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const { state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt"`, 'merge', 'grep -qx landed a.txt && grep -qx b b.txt'),
      async () => {
        await bench.write('b.txt', 'broken\n');
        await bench.commit('Break it');
      },
    );
    expect(openRequest(state).subject.kind).toBe('verification_failed');
    expect(state.landing.kind).toBe('none');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('D32: a target that moved on the same line asks; branch_only delivers the branch and leaves the target alone', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    let theirs = '';
    const { engine, state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt"`),
      async () => {
        await bench.write('a.txt', 'theirs\n');
        theirs = await bench.commit('The same line');
      },
    );
    const request = openRequest(state);
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'landing_conflict' });
    expect(request.details).toEqual(['a.txt']);
    await tell(bench, state.id, { type: 'AnswerRequest', requestId: request.id, choice: 'branch_only', text: '' });
    const done = await engine.untilSettled(state.id);
    expect(done.lifecycle).toBe('done');
    expect(await bench.git('rev-parse', 'main')).toBe(theirs);
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('landed');
  });

  it("D32: the user's own edits elsewhere stay, and git status shows only those afterwards", async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const { state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt; echo new > d.txt"`),
      async () => {
        await bench.write('b.txt', 'edited\n');
        await bench.write('c.txt', 'staged\n');
        await bench.git('add', 'c.txt');
        await bench.write('mine.txt', 'untracked\n');
      },
    );
    expect(state.lifecycle).toBe('done');
    expect((await bench.git('status', '--porcelain')).split('\n').map((line) => line.trim())).toEqual([
      'M b.txt',
      'M  c.txt',
      '?? mine.txt',
    ]);
    expect(await readFile(join(bench.repo, 'd.txt'), 'utf8')).toBe('new\n');
  });

  it.each([
    ['an edited file', 'a.txt', 'my own words\n', 'echo landed > a.txt'],
    ['an untracked file in the way', 'd.txt', 'mine\n', 'echo landed > a.txt; echo new > d.txt'],
  ])(
    'D32: %s asks, is left as it is, and landing goes on once it is out of the way',
    async (_what, path, text, run) => {
      bench = await openWorkbench({ sandbox: false, files: FILES });
      const { engine, state } = await meanwhile(
        (wait) => plan(`"${wait}; ${run}"`),
        () => bench.write(path, text),
      );
      const request = openRequest(state);
      expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'landing_overlap' });
      expect(request.details).toEqual([path]);
      expect(await readFile(join(bench.repo, path), 'utf8')).toBe(text);
      await bench.git('stash', '--include-untracked');
      await tell(bench, state.id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
      expect((await engine.untilSettled(state.id)).lifecycle).toBe('done');
      expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('landed\n');
    },
  );

  it('D32: a target that is checked out nowhere is moved without touching the checkout', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.git('branch', 'release');
    const state = await carried(bench, plan(undefined, '{ target: merge, branch: release }'));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', 'release:a.txt')).toBe('landed');
    expect(await bench.git('show', 'main:a.txt')).toBe('a');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: a target that does not exist asks; once it was created, retry lands', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const id = await submitted(bench, plan(undefined, '{ target: merge, branch: nowhere }'));
    const engine = await started(bench);
    const request = openRequest(await engine.untilSettled(id));
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'landing_missing_branch' });
    await bench.git('branch', 'nowhere');
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    expect(await bench.git('show', 'nowhere:a.txt')).toBe('landed');
  });

  it('D32: a checkout in the middle of a merge asks, and nothing in it is touched', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const { state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt"`),
      async () => {
        await bench.git('checkout', '-q', '-b', 'other');
        await bench.write('c.txt', 'other\n');
        await bench.commit('Other');
        await bench.git('checkout', '-q', 'main');
        await bench.git('merge', '--no-ff', '--no-commit', 'other');
      },
    );
    expect(openRequest(state).subject).toEqual({ kind: 'delivery_blocked', code: 'landing_unavailable' });
    await bench.git('rev-parse', '--verify', 'MERGE_HEAD');
    expect(await bench.git('status', '--porcelain')).toBe('M  c.txt');
  });

  it('D32: two items that land on one branch take turns, and both end merged', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const one = await submitted(bench, plan('echo landed > a.txt'));
    const two = await submitted(bench, plan('echo landed > b.txt', 'merge', 'grep -qx landed b.txt'));
    const engine = await started(bench);
    const ended = [await engine.untilSettled(one), await engine.untilSettled(two)];
    expect(ended.map(({ lifecycle }) => lifecycle)).toEqual(['done', 'done']);
    expect(await bench.git('show', 'main:a.txt', 'main:b.txt')).toBe('landed\nlanded');
    expect(await bench.git('status', '--porcelain')).toBe('');
    const counts = [await verifications(one), await verifications(two)].sort();
    expect(counts).toEqual([1, 2]);
  });

  it('D25: a published branch that holds commits of somebody else is not overwritten; it asks', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(bench, plan(`"${door.wait}; echo landed > a.txt"`, 'workspace_files'));
    const engine = await started(bench);
    await reached(door);
    await bench.git('branch', `workcenter/${id}`, 'main');
    await bench.git('checkout', '-q', `workcenter/${id}`);
    await bench.write('c.txt', 'somebody\n');
    const theirs = await bench.commit('Not ours');
    await bench.git('checkout', '-q', 'main');
    await door.open();
    const request = openRequest(await engine.untilSettled(id));
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'publish_moved' });
    expect(await bench.git('rev-parse', `workcenter/${id}`)).toBe(theirs);
    await bench.git('branch', '-m', `workcenter/${id}`, 'kept');
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });

  it('D25: a branch that is checked out where it would be published asks, and is left alone', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const id = await submitted(bench, plan(`"${door.wait}; echo landed > a.txt"`, 'workspace_files'));
    const engine = await started(bench);
    await reached(door);
    await bench.git('checkout', '-q', '-b', `workcenter/${id}`);
    await door.open();
    const asked = await engine.untilSettled(id);
    expect(openRequest(asked).subject).toEqual({ kind: 'delivery_blocked', code: 'publish_checked_out' });
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: another git process at work in the checkout asks; when it has ended, retry lands', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const lock = join(bench.repo, '.git', 'index.lock');
    const { engine, state } = await meanwhile(
      (wait) => plan(`"${wait}; echo landed > a.txt"`),
      () => writeFile(lock, ''),
    );
    const request = openRequest(state);
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'landing_locked' });
    expect(request.details).toEqual([lock]);
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('a\n');
    await rm(lock);
    await tell(bench, state.id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(state.id)).lifecycle).toBe('done');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: a target that is checked out in another worktree is moved there, and the main checkout stays', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const linked = join(bench.root, 'linked');
    await bench.git('worktree', 'add', '-q', '-b', 'release', linked);
    const state = await carried(bench, plan(undefined, '{ target: merge, branch: release }'));
    expect(state.lifecycle).toBe('done');
    expect(await readFile(join(linked, 'a.txt'), 'utf8')).toBe('landed\n');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('a\n');
    expect(await bench.git('-C', linked, 'status', '--porcelain')).toBe('');
  });

  it('D32: stop before anything was reserved ends cancelled and not merged, with nothing of the target touched', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const before = await bench.git('rev-parse', 'main');
    // The check holds the verification open: everything ran, nothing is delivered yet.
    const id = await submitted(bench, plan(undefined, 'merge', `"grep -qx landed a.txt && { ${door.wait}; }"`));
    const engine = await started(bench);
    await reached(door);
    await tell(bench, id, { type: 'StopItem', reason: 'no' });
    await door.open();
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('cancelled');
    expect(state.landing.kind).toBe('none');
    expect(await bench.git('rev-parse', 'main')).toBe(before);
  });

  it('D25: a branch of the person that stands in the way of the published name asks, and retry publishes', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.git('branch', 'workcenter');
    const id = await submitted(bench, plan(undefined, 'workspace_files'));
    const engine = await started(bench);
    const request = openRequest(await engine.untilSettled(id));
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'publish_refused' });
    expect(request.details.join()).toContain('refs/heads/workcenter');
    await bench.git('branch', '-m', 'workcenter', 'renamed');
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
  });

  it("D2: a repository that is gone when the result is to be delivered asks, with git's words, and is not tried for ever", async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const door = gate(bench, 'door');
    const check = `"grep -qx landed a.txt && { ${door.wait}; }"`;
    // Two Actions are for the criterion, so that it is judged when both are merged.
    const text = `${plan(undefined, 'workspace_files', check)}  - id: other\n    run: echo x > c.txt\n    for: [c1]\n`;
    const id = await submitted(bench, text);
    const engine = await started(bench);
    await reached(door);
    await rename(bench.repo, `${bench.repo}.away`);
    await door.open();
    const state = await engine.untilSettled(id);
    expect(openRequest(state).subject).toEqual({ kind: 'delivery_blocked', code: 'publish_failed' });
    await rename(`${bench.repo}.away`, bench.repo);
    await tell(bench, id, { type: 'AnswerRequest', requestId: openRequest(state).id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${id}:a.txt`)).toBe('landed');
  });
});
