import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/core/index.ts';
import { openRequest, submitted } from './control-support.ts';
import { openYard, pullPlan, type Yard } from './pull-request-support.ts';

describe('a delivery by pull request to a plain git remote', () => {
  let yard: Yard;
  beforeEach(async () => {
    yard = await openYard();
  });
  afterEach(() => yard.close());

  const branchesThere = () => yard.at('for-each-ref', '--format=%(refname)');

  it('D25: pushes exactly the proven commit under the name of the item, and is done with the ref as its reference', async () => {
    const { bench } = yard;
    const before = [await bench.git('config', '--local', '--list'), await bench.git('for-each-ref', 'refs/remotes')];
    const state = await yard.carry(pullPlan());
    const branch = `workcenter/${state.id}`;
    const url = `${yard.remote}#refs/heads/${branch}`;
    expect(state.lifecycle).toBe('done');
    expect(state.contract.delivery).toEqual({ target: 'pull_request', branch: 'main' });
    expect(state.pull).toEqual({ url, commit: state.branch.head, branch });
    expect(state.finalResult).toMatchObject({ commit: state.branch.head, pullRequest: url, publishedBranch: branch });
    expect(await yard.at('rev-parse', branch)).toBe(state.branch.head);
    expect(await branchesThere()).toBe(`refs/heads/main\nrefs/heads/${branch}`);
    expect(await bench.git('status', '--porcelain')).toBe('');
    expect([await bench.git('config', '--local', '--list'), await bench.git('for-each-ref', 'refs/remotes')]).toEqual(
      before,
    );
    expect(sentenceOf(state)).toContain(url);
  });

  it("D25: a pre-receive hook that refuses means not done, with the hook's words; mended and retried it is done", async () => {
    await yard.hook('pre-receive', 'echo "policy: no direct pushes"; echo "ask the release team" >&2; exit 1');
    const blocked = await yard.carry(pullPlan());
    const request = openRequest(blocked);
    expect(blocked.lifecycle).toBe('open');
    expect(request).toMatchObject({
      subject: { kind: 'delivery_blocked', code: 'push_rejected' },
      details: ['policy: no direct pushes', 'ask the release team'],
      choices: ['retry', 'branch_only', 'stop'],
    });
    expect(request.question).toContain('pre-receive hook declined');
    expect(blocked.pull).toBeUndefined();
    expect(await yard.bench.git('rev-parse', `workcenter/${blocked.id}`)).toBe(blocked.branch.head);
    expect(openRequest(await yard.answer(blocked, 'retry')).subject).toEqual(request.subject);
    await yard.hook('pre-receive', 'exit 0');
    const done = await yard.answer(blocked, 'retry');
    expect(done.lifecycle).toBe('done');
    expect(await yard.at('rev-parse', `workcenter/${blocked.id}`)).toBe(done.finalResult?.commit);
  });

  it('D25: what a remote refuses may be left as a branch of its own', async () => {
    await yard.hook('pre-receive', 'exit 1');
    const done = await yard.answer(await yard.carry(pullPlan()), 'branch_only');
    expect(done.lifecycle).toBe('done');
    expect(done.finalResult).toMatchObject({ delivery: { target: 'workspace_files' } });
    expect(done.finalResult?.pullRequest).toBeUndefined();
    expect(await branchesThere()).toBe('refs/heads/main');
  });

  it("D25: somebody else's commits under that name are left alone, and a person is asked", async () => {
    const id = await submitted(yard.bench, pullPlan());
    await yard.bench.git('commit', '-q', '--allow-empty', '-m', 'theirs');
    await yard.bench.git('push', '-q', 'origin', `HEAD:refs/heads/workcenter/${id}`);
    const theirs = await yard.bench.git('rev-parse', 'HEAD');
    const engine = await yard.engine();
    const state = await engine.untilSettled(id);
    await engine.stop();
    expect(openRequest(state)).toMatchObject({ subject: { code: 'push_moved' }, details: [theirs] });
    expect(await yard.at('rev-parse', `workcenter/${id}`)).toBe(theirs);
    await yard.at('update-ref', '-d', `refs/heads/workcenter/${id}`);
    expect((await yard.answer(state, 'retry')).lifecycle).toBe('done');
  });

  it('D25: nothing is pushed while a criterion is unproven', async () => {
    const state = await yard.carry(pullPlan('echo changed > a.txt', 'pull_request', 'grep -qx perfect a.txt'));
    expect(state.lifecycle).toBe('open');
    expect(openRequest(state).subject.kind).not.toBe('delivery_blocked');
    expect(await branchesThere()).toBe('refs/heads/main');
  });

  it('D25: a repository without a remote is asked for one', async () => {
    await yard.bench.git('remote', 'remove', 'origin');
    const blocked = await yard.carry(pullPlan());
    expect(openRequest(blocked).subject).toEqual({ kind: 'delivery_blocked', code: 'push_no_remote' });
    await yard.bench.git('remote', 'add', 'elsewhere', yard.remote);
    expect((await yard.answer(blocked, 'retry')).lifecycle).toBe('done');
  });

  it('D38: a remote that cannot be reached is asked about, and its password is in nothing that we keep', async () => {
    const password = 'hunter2hunter2';
    // Nobody listens on port 1, which only an administrator could change.
    await yard.bench.git('remote', 'set-url', 'origin', `http://ada:${password}@127.0.0.1:1/shop.git`);
    const blocked = await yard.carry(pullPlan());
    const request = openRequest(blocked);
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'push_failed' });
    expect(request.question).toContain('http://127.0.0.1:1/shop.git');
    expect(request.details.join('\n')).toMatch(/connect/i);
    const { store } = yard.bench.world;
    expect(
      JSON.stringify([await store.events(blocked.id), await store.runs(blocked.id), yard.bench.logs]),
    ).not.toContain(password);
  });

  it('D25: the branch that it is for may be named, and has to be where nothing is checked out', async () => {
    const state = await yard.carry(pullPlan(undefined, '{ target: pull_request, branch: release }'));
    expect(state.finalResult?.delivery).toEqual({ target: 'pull_request', branch: 'release' });
    await yard.bench.git('checkout', '-q', '--detach');
    expect(await yard.bench.submit(pullPlan())).toMatchObject({ code: 'invalid_plan' });
  });
});
