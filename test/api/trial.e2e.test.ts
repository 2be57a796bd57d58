import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served({ tries: true });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const TRIAL = '/api/v1/checks/trial';
const attempt = (check: unknown, more: object = {}, headers = {}): Promise<Response> =>
  at.post(TRIAL, { directory: at.rig.repo, check, ...more }, headers);
const tried = async (check: unknown, more: object = {}): Promise<unknown> => (await attempt(check, more)).json();
const ours = (): Promise<string> => at.rig.git('for-each-ref', '--format=%(refname)', 'refs/workcenter/');
const leftovers = async (): Promise<readonly string[]> => readdir(join(at.world.home.root, 'checks'));

describe('a trial of a check', () => {
  it('says how the check ends today: verdict, exit code, the end of its output, and on what', async () => {
    const head = (await at.rig.git('rev-parse', 'HEAD')).trim();
    expect(await tried('echo looking; test -f hello.txt')).toMatchObject({
      ...{ verdict: 'wrong_exit', exitCode: 1, at: head, inPlace: false },
      tail: expect.stringContaining('looking'),
    });
    expect(await tried({ run: 'cat README.md', expectOutput: '^A project' })).toMatchObject({
      ...{ verdict: 'passed', exitCode: 0, tail: expect.stringContaining('A project.') },
    });
    expect(await tried({ run: 'sleep 60', timeoutSec: 1 })).toMatchObject({ verdict: 'timed_out', exitCode: null });
  });

  it('runs the set-up before it, and says so where that fails', async () => {
    expect(await tried('test -f made.txt', { setup: 'echo made > made.txt' })).toMatchObject({ verdict: 'passed' });
    expect(await tried('true', { setup: 'echo no registry; exit 7' })).toMatchObject({
      ...{ verdict: 'setup_failed', exitCode: 7, tail: expect.stringContaining('no registry') },
    });
  });

  it('stores nothing, and leaves the repository and the data directory as they were', async () => {
    const before = { refs: await ours(), checks: await leftovers(), items: (await at.store.list({ limit: 9 })).items };
    await attempt('echo by the check > README.md; touch left-behind');
    expect({ refs: await ours(), checks: await leftovers(), items: (await at.store.list({ limit: 9 })).items }).toEqual(
      before,
    );
    expect(existsSync(join(at.rig.repo, 'left-behind'))).toBe(false);
    expect(await at.rig.git('status', '--porcelain')).toBe('');
  });

  it('refuses a directory with the words of creating there, and takes uncommitted work where that is asked for', async () => {
    await writeFile(join(at.rig.repo, 'hello.txt'), 'Hello.\n');
    const wish = { goal: 'Any', directory: at.rig.repo };
    const refused = await (await at.post('/api/v1/work-items', wish)).json();
    expect(refused).toMatchObject({
      status: 422,
      code: 'uncommitted_work',
      found: expect.stringContaining('hello.txt'),
    });
    expect(await tried('true')).toEqual(refused);
    const before = await ours();
    expect(await tried('test -f hello.txt', { dirty: 'snapshot' })).toMatchObject({ verdict: 'passed' });
    expect(await tried('test -f hello.txt', { dirty: 'in-place' })).toMatchObject({ verdict: 'passed' });
    expect(await ours()).toBe(before);
    expect(await tried('true', { directory: join(at.rig.root, 'nowhere') })).toMatchObject({ code: 'invalid_field' });
  });

  it('refuses a check that no contract could have', async () => {
    expect(await tried({ run: 'true', cwd: '../..' })).toMatchObject({ status: 422, code: 'invalid_contract' });
    expect(await tried({ run: 'true', expectOutput: '(' })).toMatchObject({ status: 422, code: 'invalid_contract' });
    expect(await tried('')).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await tried('true', { directory: 'relative' })).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('runs one at a time in a directory, and ends when the one who asked is gone', async () => {
    const leaving = new AbortController();
    const first = fetch(`${at.api.url}${TRIAL}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ directory: at.rig.repo, check: 'sleep 300' }),
      signal: leaving.signal,
    }).catch(() => 'gone');
    await expect.poll(() => tried('true'), { timeout: 20_000 }).toMatchObject({ status: 409, code: 'trial_running' });
    leaving.abort();
    expect(await first).toBe('gone');
    await expect.poll(() => tried('true'), { timeout: 20_000 }).toMatchObject({ verdict: 'passed' });
    expect(await leftovers()).toEqual([]);
  });

  it('is for a person who may create: no agent has a command run at once', async () => {
    const make = async (scope: 'create' | 'read', authority: 'user' | 'agent'): Promise<object> => {
      const wanted = { name: `${authority}-${scope}`, scopes: [scope], authority, expiresAt: null };
      const { minted } = await addToken(at.store, wanted, Date.now());
      return { authorization: `Bearer ${minted.token}` };
    };
    const code = async (headers: object): Promise<unknown> =>
      ((await (await attempt('true', {}, headers)).json()) as { readonly code?: string }).code;
    expect(await code(await make('read', 'user'))).toBe('scope_too_small');
    expect(await code(await make('create', 'agent'))).toBe('user_required');
    expect(await code(await make('create', 'user'))).toBeUndefined();
  });
});

it('tells beforehand what an item of this shape would take (D26)', async () => {
  const read = async (query: string): Promise<unknown> => (await at.get(`/api/v1/forecast${query}`)).json();
  const small = await read('');
  expect(small).toMatchObject({ basis: 'default', n: 0, costMicros: null });
  expect(await read('?criteria=3&target=merge')).not.toEqual(small);
  expect(await read('?criteria=99')).toMatchObject({ status: 400, code: 'invalid_request' });
});
