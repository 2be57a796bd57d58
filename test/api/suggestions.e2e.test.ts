import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served({ tries: true });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const addressOf = (directory: string): string => `/api/v1/suggestions?directory=${encodeURIComponent(directory)}`;
const suggested = async (directory: string): Promise<unknown> =>
  (await fetch(`${at.api.url}${addressOf(directory)}`)).json();
const NOTHING = { ecosystem: 'unknown', setup: null, checks: [] };

it('tells set-up and checks of a project, as `workcenter new` takes them, and nothing where there is nothing', async () => {
  const project = join(at.rig.root, 'a project');
  await mkdir(project);
  expect(await suggested(project)).toEqual(NOTHING);
  const manifest = { scripts: { test: 'node --test', lint: 'biome check' }, dependencies: { ms: '2.1.3' } };
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
  // Without a lock file an installation is not what everybody means.
  expect(await suggested(project)).toMatchObject({ ecosystem: 'node', setup: null });
  await writeFile(join(project, 'package-lock.json'), '{}');
  expect(await suggested(project)).toMatchObject({
    setup: { run: expect.stringMatching(/^npm ci/), inputs: ['package.json', 'package-lock.json'] },
    checks: expect.arrayContaining([{ text: 'The test suite passes', run: 'npm test' }]),
  });
  expect(await suggested(join(at.rig.root, 'nowhere'))).toEqual(NOTHING);
});

it('does not wait for a manifest that is a pipe, and takes no broken one for a failure', async () => {
  const project = join(at.rig.root, 'strange');
  await mkdir(project);
  execFileSync('mkfifo', [join(project, 'package.json')]);
  await writeFile(join(project, 'pyproject.toml'), '[[[');
  expect(await suggested(project)).toMatchObject({ ecosystem: 'node', checks: expect.any(Array) });
});

it('refuses a relative directory, and an agent', async () => {
  expect(await suggested('some/where')).toMatchObject({ status: 400, code: 'invalid_request' });
  const wanted: Parameters<typeof addToken>[1] = {
    name: 'bot',
    authority: 'agent',
    scopes: ['create'],
    expiresAt: null,
  };
  const { minted } = await addToken(at.store, wanted, Date.now());
  const headers = { authorization: `Bearer ${minted.token}` };
  const answer = await fetch(`${at.api.url}${addressOf(at.rig.repo)}`, { headers });
  expect(await answer.json()).toMatchObject({ status: 403, code: 'user_required' });
});
