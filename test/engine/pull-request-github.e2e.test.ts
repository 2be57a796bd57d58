import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import { githubToken } from '../../src/engine/branch/pull-request/github-token.ts';
import { openRequest, submitted } from './control-support.ts';
import type { GithubDouble } from './github-double.ts';
import { openGithub, openYard, pullPlan, TOKEN, type Yard } from './pull-request-support.ts';

const CANARY = `canary-${'c0ffee'.repeat(4)}`;
const ENV = { GITHUB_TOKEN: TOKEN };

describe('a pull request on a GitHub', () => {
  let yard: Yard;
  let github: GithubDouble;
  beforeEach(async () => {
    yard = await openYard();
    github = await openGithub(yard);
  });
  afterEach(async () => {
    await yard.close();
    await github.close();
  });

  const posts = () => github.asked.filter(({ method }) => method === 'POST');
  const codeOf = (state: ItemState) => {
    const { subject } = openRequest(state);
    return subject.kind === 'delivery_blocked' ? subject.code : subject.kind;
  };

  it('D25: is opened of exactly the proven commit, into the base, with what proves it in its text', async () => {
    const state = await yard.carry(pullPlan(), ENV);
    const branch = `workcenter/${state.id}`;
    expect(state.lifecycle).toBe('done');
    expect(state.pull).toEqual({ url: `${github.url}/acme/shop/pull/1`, commit: state.branch.head, branch });
    expect(github.pulls).toHaveLength(1);
    expect(github.pulls[0]).toMatchObject({
      title: 'change a',
      head: { sha: state.branch.head, ref: branch },
      base: { ref: 'main' },
    });
    expect(posts()[0]?.authorization).toBe(`token ${TOKEN}`);
    expect(JSON.stringify([await yard.bench.world.store.events(state.id), yard.bench.logs])).not.toContain(TOKEN);
    const body = github.pulls[0]?.body ?? '';
    expect(body).toContain('**c1** a is changed: machine (red to green, not sandboxed)');
    expect(body).toContain('`grep -qx changed a.txt` exited 0');
    expect(body).toContain(state.branch.head);
  });

  it('D38: no secret of the environment, of a plan or of the token is in the text of a pull request', async () => {
    const plan = pullPlan()
      .replace('goal: change a', `goal: change a with ${CANARY}`)
      .replace('check: "grep -qx changed a.txt"', `check: { run: "grep -qx changed a.txt # ${CANARY} ${TOKEN}" }`);
    const state = await yard.carry(plan, { ...ENV, DEPLOY_TOKEN: CANARY });
    expect(state.lifecycle).toBe('done');
    const sent = JSON.stringify(github.asked.map(({ body }) => body));
    expect(sent).toContain('[redacted]');
    expect(sent).not.toContain(CANARY);
    expect(sent).not.toContain(TOKEN);
  });

  it('D25: one that is open already is used again, once it is at the commit', async () => {
    const id = await submitted(yard.bench, pullPlan());
    // The server is behind at first, as after a push; then it has seen it.
    const known = github.add({ sha: 'stale', head: `workcenter/${id}` });
    github.add({ sha: 'closed', head: `workcenter/${id}`, state: 'closed' });
    let asked = 0;
    Object.defineProperty(known.head, 'sha', {
      enumerable: true,
      get: () => {
        asked += 1;
        return asked > 1 ? head : 'stale';
      },
    });
    const engine = await yard.engine(ENV);
    let head = '';
    yard.bench.world.store.onCommit((state) => {
      head = state.branch.head;
    });
    const state = await engine.untilSettled(id);
    await engine.stop();
    expect(state.lifecycle).toBe('done');
    expect(state.pull?.url).toBe(known.html_url);
    expect(posts()).toHaveLength(0);
  });

  it('D25: one whose head is another commit is no delivery, and says both', async () => {
    const id = await submitted(yard.bench, pullPlan());
    github.add({ sha: 'f'.repeat(40), head: `workcenter/${id}` });
    const engine = await yard.engine(ENV);
    const state = await engine.untilSettled(id);
    await engine.stop();
    expect(codeOf(state)).toBe('pull_request_mismatch');
    expect(openRequest(state).details).toEqual([`head commit: expected ${state.branch.head}, found ${'f'.repeat(40)}`]);
    expect(state.pull).toBeUndefined();
  });

  it.each([
    [401, 'Bad credentials', 'pull_request_denied'],
    [403, 'Resource not accessible', 'pull_request_denied'],
    [404, 'Not Found', 'pull_request_denied'],
    [422, 'No commits between main and workcenter', 'pull_request_refused'],
  ])('a %i is told at once and not repeated; retried when mended it is done', async (status, message, code) => {
    github.fail({ on: 'POST', status, text: JSON.stringify({ message }) });
    const blocked = await yard.carry(pullPlan(), ENV);
    expect(codeOf(blocked)).toBe(code);
    expect(posts()).toHaveLength(1);
    expect(openRequest(blocked).details.at(-1)).toContain(`/acme/shop/compare/main...workcenter/${blocked.id}`);
    github.fail(undefined);
    expect((await yard.answer(blocked, 'retry', ENV)).lifecycle).toBe('done');
  });

  it('a server that is unwell is asked again with pauses, then a person is', async () => {
    github.fail({ on: 'POST', status: 502, text: '<html>Bad Gateway</html>' });
    const blocked = await yard.carry(pullPlan(), ENV);
    expect(codeOf(blocked)).toBe('pull_request_failed');
    expect(posts()).toHaveLength(4);
    github.fail(undefined);
    expect((await yard.answer(blocked, 'retry', ENV)).lifecycle).toBe('done');
    expect(github.pulls).toHaveLength(1);
  });

  it('an answer that was lost after the pull request was made opens no second one', async () => {
    github.fail({ on: 'POST', status: 500, text: 'lost', after: true, times: 1 });
    const state = await yard.carry(pullPlan(), ENV);
    expect(state.lifecycle).toBe('done');
    expect(github.pulls).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });

  it('a page of HTML where an answer should be is no pull request', async () => {
    github.fail({ on: 'GET', status: 200, text: '<html>Sign in</html>' });
    const blocked = await yard.carry(pullPlan(), ENV);
    expect(codeOf(blocked)).toBe('pull_request_failed');
    expect(blocked.pull).toBeUndefined();
    expect(posts()).toHaveLength(0);
  });

  it('without a token a person opens it; retried, it counts once its head is our commit', async () => {
    const blocked = await yard.carry(pullPlan());
    const request = openRequest(blocked);
    expect(codeOf(blocked)).toBe('pull_request_manual');
    expect(request.details.join('\n')).toContain(`compare/main...workcenter/${blocked.id}`);
    expect(github.asked).toHaveLength(0);
    await yard.at('update-ref', 'refs/pull/4/head', 'main');
    const again = await yard.answer(blocked, 'retry');
    expect(codeOf(again)).toBe('pull_request_manual');
    await yard.at('update-ref', 'refs/pull/5/head', blocked.branch.head);
    const done = await yard.answer(again, 'retry');
    expect(done.lifecycle).toBe('done');
    expect(done.pull?.url).toMatch(/\/acme\/shop\/pull\/5$/);
  });

  const naming = (ref: string) => {
    const outcome = {
      outcome: 'completed',
      summary: 'opened it myself',
      claims: [{ criterion: 'c1', status: 'passed', evidence: 'seen' }],
      outputs: [{ kind: 'pr', ref }],
    };
    return pullPlan(`echo changed > a.txt; echo '${JSON.stringify(outcome)}' > "$WORKCENTER_OUTCOME"`);
  };

  it('D25: one that an executor names counts when it is at exactly the commit; nothing is pushed then', async () => {
    const known = github.add({ sha: '', head: 'their-branch' });
    const id = await submitted(yard.bench, naming(known.html_url));
    let head = '';
    Object.defineProperty(known.head, 'sha', { enumerable: true, get: () => head });
    yard.bench.world.store.onCommit((state) => {
      head = state.branch.head;
    });
    const engine = await yard.engine(ENV);
    const state = await engine.untilSettled(id);
    await engine.stop();
    expect(state.lifecycle).toBe('done');
    expect(state.pull).toMatchObject({ url: known.html_url, commit: state.branch.head });
    expect(await yard.at('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(posts()).toHaveLength(0);
  });

  it('D25: one that an executor names with another head is not delivery; the engine opens its own and says so', async () => {
    const known = github.add({ sha: 'f'.repeat(40), head: 'their-branch' });
    const state = await yard.carry(naming(known.html_url), ENV);
    expect(state.lifecycle).toBe('done');
    expect(state.finalResult?.pullRequest).toBe(`${github.url}/acme/shop/pull/2`);
    expect(github.pulls[1]?.head.sha).toBe(state.branch.head);
    expect(github.pulls[1]?.body).toContain(`${known.html_url} (head commit: expected ${state.branch.head}`);
  });

  it('D25: one that an executor names in another repository is not delivery', async () => {
    const state = await yard.carry(naming('https://github.com/somebody/else/pull/1'), ENV);
    expect(state.finalResult?.pullRequest).toBe(`${github.url}/acme/shop/pull/1`);
    expect(github.pulls[0]?.body).toContain('in another repository');
  });

  it('the token is that of the variable in settings, else a usual one, else of gh; never of another host', async () => {
    const host = 'git.acme.example';
    const usual = { GITHUB_TOKEN: 'usual', ACME: 'mine' };
    expect(await githubToken({ ...usual, PATH: '' }, { host, tokenEnv: 'ACME' })).toBe('mine');
    expect(await githubToken({ ...usual, PATH: '' }, { host })).toBe('usual');
    expect(await githubToken({ GH_TOKEN: 'other', PATH: '' }, { host })).toBe('other');
    const bin = join(yard.bench.root, 'with-gh');
    await mkdir(bin);
    await writeFile(
      join(bin, 'gh'),
      '#!/bin/sh\n[ "$*" = "auth token --hostname git.acme.example" ] && echo from-gh\n',
    );
    await chmod(join(bin, 'gh'), 0o755);
    expect(await githubToken({ PATH: bin }, { host })).toBe('from-gh');
    expect(await githubToken({ PATH: bin }, { host: 'elsewhere.example' })).toBeUndefined();
    expect(await githubToken({ PATH: '' }, { host })).toBeUndefined();
  });
});
