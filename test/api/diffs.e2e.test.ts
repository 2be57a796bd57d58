import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFile } from '../../src/engine/on-demand/changed-file.ts';
import { diffBetween } from '../../src/engine/on-demand/item-diff.ts';
import { createEngineRepository } from '../../src/workspace/engine-repository/engine-repository.ts';
import { git } from '../../src/workspace/git/run-git.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const read = (path: string, headers?: Record<string, string>) =>
  at.get(`/api/v1/work-items/${at.itemId}/${path}`, headers);

/** As preparing the item does. */
async function prepared(): Promise<string> {
  const state = await at.store.load(at.itemId);
  if (state?.base.kind !== 'git') throw new Error('The rig is a git repository.');
  const { commit, gitDir } = state.base;
  await createEngineRepository({
    gitDir: at.world.home.repository(at.itemId),
    source: { commonDir: gitDir },
    base: commit,
    itemId: at.itemId,
  });
  return commit;
}

describe('The diff of an item', () => {
  it('is named by its commits, so that an unchanged one is not sent again', async () => {
    const base = await prepared();
    const first = await read('diff');
    expect(await first.json()).toEqual({ from: base, to: base, text: '', truncated: false, omitted: [] });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toBe(`"${base}-${base}"`);
    expect((await read('diff', { 'if-none-match': etag })).status).toBe(304);
    expect((await read('diff', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('says of a Run, an Action and a file that are not there what is missing', async () => {
    await prepared();
    for (const path of ['actions/a1/diff', 'actions/a1/runs/r1/diff', 'changed-file?path=README.md&runId=r1']) {
      const refused = await read(path);
      expect(refused.status, path).toBe(404);
      expect(await refused.json(), path).toMatchObject({ code: 'no_diff' });
    }
  });

  it('shows no file that was not changed, however its path is written', async () => {
    await prepared();
    for (const path of ['README.md', '../README.md', '/etc/passwd', '.git/config', ':(top)README.md', '']) {
      const refused = await read(`changed-file?path=${encodeURIComponent(path)}`);
      expect([400, 404], path).toContain(refused.status);
    }
  });
});

/** A commit of these files on the base, in the repository of the item. */
async function changedTo(base: string, files: Readonly<Record<string, string>>) {
  const gitDir = at.world.home.repository(at.itemId);
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
  const run = async (args: readonly string[], input = '') => (await git(args, { gitDir, input, env: author })).trim();
  const entries: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    entries.push(`100644 blob ${await run(['hash-object', '-w', '--stdin'], content)}\t${path}\n`);
  }
  const tree = await run(['mktree'], entries.join(''));
  const to = await run(['commit-tree', tree, '-p', base, '-m', 'change']);
  return { kind: 'ends', from: base, to } as const;
}

async function stateOf() {
  const state = await at.store.load(at.itemId);
  if (!state) throw new Error('The item is there.');
  return state;
}

describe('A diff that is too large', () => {
  const files = { 'README.md': 'A project.\n', 'a.txt': 'a\n'.repeat(50), 'b.txt': 'b\n'.repeat(500), 'c.txt': 'c\n' };

  it('has whole files only, and names the others, which can be read one by one', async () => {
    const ends = await changedTo(await prepared(), files);
    const state = await stateOf();
    const cut = await diffBetween(at.world, state, ends, { maxBytes: 800 });
    expect(cut).toMatchObject({ truncated: true, omitted: ['b.txt', 'c.txt'] });
    expect(cut).toMatchObject({ text: expect.stringMatching(/a\.txt[\s\S]*\+a\n$/) });
    const one = await diffBetween(at.world, state, ends, { path: 'c.txt' });
    expect(one).toMatchObject({ truncated: false, omitted: [], text: expect.stringContaining('+c') });
  });

  it('of one file is cut within it', async () => {
    const ends = await changedTo(await prepared(), files);
    const cut = await diffBetween(at.world, await stateOf(), ends, { path: 'b.txt', maxBytes: 800 });
    expect(cut).toMatchObject({ truncated: true, omitted: [], text: expect.stringContaining('+b') });
  });
});

describe('A changed file', () => {
  it('is shown as it was before and after, and only where it changed', async () => {
    const ends = await changedTo(await prepared(), { 'README.md': 'A project.\n', 'new.txt': 'one\n', bin: 'x\0y' });
    const state = await stateOf();
    const look = (path: string, side: 'before' | 'after') => changedFile(at.world, state, ends, { path, side });
    expect(await look('new.txt', 'after')).toMatchObject({ commit: ends.to, state: 'text', text: 'one\n', bytes: 4 });
    expect(await look('new.txt', 'before')).toMatchObject({ commit: ends.from, state: 'absent', text: null });
    expect(await look('bin', 'after')).toMatchObject({ state: 'binary', text: null, bytes: 3 });
    expect(await look('README.md', 'after')).toMatchObject({ kind: 'nothing' });
  });
});

describe('The versions of a contract', () => {
  it('are told newest first, with what each changed', async () => {
    const edited = await at.patch(
      `/api/v1/work-items/${at.itemId}/contract`,
      { instructions: 'Keep it short.' },
      { 'if-match': '"1"' },
    );
    expect(edited.status).toBe(200);
    const page = await (await read('contract/versions?limit=1')).json();
    expect(page).toMatchObject({
      versions: [{ changed: ['instructions'], contract: { version: 2, instructions: 'Keep it short.' } }],
    });
    const { nextCursor } = page as { readonly nextCursor: string };
    const rest = await (await read(`contract/versions?limit=1&cursor=${nextCursor}`)).json();
    expect(rest).toMatchObject({ versions: [{ changed: [], contract: { version: 1, instructions: null } }] });
    expect(rest).not.toHaveProperty('nextCursor');
  });
});
