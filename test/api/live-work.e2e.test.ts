import { appendFile, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteLiveDiff } from '../../src/cli/server/remote-diff.ts';
import { createClient, type LiveDiff, type LiveFiles } from '../../src/client/index.ts';
import { type AtWork, beginInPlace, beginWork } from '../support/at-work.ts';
import { repositoryAt } from '../support/repository.ts';
import { type Served, served } from './http.ts';

const CANARY = 'canary-5f1d7c2e9b';

let at: Served;
beforeEach(async () => {
  at = await served({ env: { SOME_API_KEY: CANARY } });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const live = ({ id }: Pick<AtWork, 'id'>, what: string, headers?: Record<string, string>) =>
  at.get(`/api/v1/work-items/${id}/actions/a1/workspace/${what}`, headers);
const diffOf = async (work: AtWork, query = ''): Promise<LiveDiff> =>
  (await (await live(work, `diff${query}`)).json()) as LiveDiff;
const filesOf = async (work: AtWork): Promise<LiveFiles> => (await (await live(work, 'files')).json()) as LiveFiles;

/** Every file of a directory by its bytes, mode and times: what changes when somebody writes there. */
async function imageOf(root: string): Promise<ReadonlyMap<string, string>> {
  const image = new Map<string, string>();
  // Names are bytes.
  for (const entry of await readdir(Buffer.from(root, 'latin1'), { withFileTypes: true, encoding: 'latin1' })) {
    const path = join(root, entry.name);
    const file = Buffer.from(path, 'latin1');
    const info = await lstat(file, { bigint: true });
    const bytes = entry.isFile() ? (await readFile(file)).toString('latin1') : '';
    image.set(path, `${info.mode} ${info.mtimeNs} ${info.ctimeNs} ${info.ino} ${bytes}`);
    if (entry.isDirectory()) for (const [below, said] of await imageOf(path)) image.set(below, said);
  }
  return image;
}

describe('The workspace of a running Action', () => {
  it('shows what was changed since its Run began, committed, staged, new and deleted', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    const { git, write, commit } = repositoryAt(work.path);
    await write('committed.txt', 'by the executor itself\n');
    await commit('Its own');
    await write('README.md', 'A better project.\n');
    await git('add', 'README.md');
    await write('new/file.txt', 'not added\n');
    await write('.gitignore', 'ignored.txt\n');
    await write('ignored.txt', 'not shown\n');
    const { text, ...said } = await diffOf(work);
    expect(said).toMatchObject({ runId: work.runId, from: work.base, changed: 4, truncated: false, left: [] });
    for (const line of ['+by the executor itself', '-A project.', '+A better project.', '+not added']) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).not.toContain('not shown');
    await rm(join(work.path, 'README.md'));
    expect((await filesOf(work)).files).toEqual([
      { status: 'A', path: '.gitignore' },
      { status: 'D', path: 'README.md' },
      { status: 'A', path: 'committed.txt' },
      { status: 'A', path: 'new/file.txt' },
    ]);
    const server = { client: createClient({ url: at.api.url }), isRemote: true };
    expect(await remoteLiveDiff(server, work.id, 'a1')).toEqual({ kind: 'live', ...(await diffOf(work)) });
    expect(await remoteLiveDiff(server, work.id, 'a9')).toMatchObject({ code: 'action_not_found', exit: 4 });
    expect((await diffOf(work, '?path=README.md')).text).toMatch(/deleted file[\s\S]*-A project\.\n$/);
  });

  it('is named by its content, so that looking again at the same costs nothing', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    for (const what of ['diff', 'file?path=a.txt']) {
      await writeFile(join(work.path, 'a.txt'), 'one\n');
      const etag = (await live(work, what)).headers.get('etag') ?? '';
      expect((await live(work, what, { 'if-none-match': etag })).status, what).toBe(304);
      await appendFile(join(work.path, 'a.txt'), 'two\n');
      expect((await live(work, what, { 'if-none-match': etag })).status, what).toBe(200);
    }
    expect(await (await live(work, 'file?path=a.txt')).json()).toMatchObject({ file: { text: 'one\ntwo\n' } });
    expect(await (await live(work, 'file?path=README.md')).json()).toMatchObject({ file: { state: 'absent' } });
  });

  it('hides secrets of the environment, and ends with the Run: then there is the commit', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    await writeFile(join(work.path, `${CANARY}.txt`), `key=${CANARY}\n`);
    const told = await Promise.all(['diff', 'files', `file?path=${CANARY}.txt`].map((what) => live(work, what)));
    for (const answer of told) expect(await answer.text()).not.toContain(`${CANARY}\\n`);
    expect((await diffOf(work)).text).toContain('+key=[redacted]');
    await rm(join(work.path, `${CANARY}.txt`));
    await writeFile(join(work.path, 'done.txt'), 'done\n');
    const commit = await work.end();
    for (const what of ['diff', 'files', 'file?path=done.txt']) {
      const refused = await live(work, what);
      expect(await refused.json(), what).toMatchObject({ status: 409, code: 'not_running' });
    }
    const recorded = await at.get(`/api/v1/work-items/${work.id}/actions/a1/diff`);
    expect(await recorded.json()).toMatchObject({ to: commit, text: expect.stringContaining('+done\n') });
  });

  it('refuses with what is missing: no such Action, a workspace that is gone', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    const other = await at.get('/api/v1/work-items/w1/actions/a9/workspace/diff');
    expect(await other.json()).toMatchObject({ status: 404, code: 'action_not_found' });
    await rm(work.path, { recursive: true });
    expect(await (await live(work, 'diff')).json()).toMatchObject({ status: 404, code: 'workspace_gone' });
    await symlink('/etc', work.path);
    expect(await (await live(work, 'diff')).json()).toMatchObject({ status: 404, code: 'workspace_gone' });
  });
});

describe('A directory that is worked on in place', () => {
  it('shows what differs from before the work, and only reads it', async () => {
    const { write } = repositoryAt(at.rig.repo);
    await write('README.md', 'Edited before.\n');
    const work = await beginInPlace(at.world, 'w1', at.rig.repo);
    const nothing = await live(work, 'files');
    expect(await nothing.json()).toMatchObject({ changed: 0, files: [], left: [] });
    await write('README.md', 'Edited by the work.\n');
    await write('made.txt', 'made\n');
    await symlink('/etc/passwd', join(work.path, 'passwd'));
    const before = await imageOf(work.path);
    const { text, changed } = await diffOf(work as AtWork);
    expect(await imageOf(work.path)).toEqual(before);
    expect(changed).toBe(3);
    for (const line of ['-Edited before.', '+Edited by the work.', '+made', '+/etc/passwd']) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).not.toContain('root:');
  });
});

const NASTY = [
  ' lead',
  'new\nline',
  '"quoted"',
  "it's",
  '-rf',
  ':(top)x',
  '*?[a]',
  'tab\there',
  'ümläut',
  'a\\b',
  'end ',
];

describe('Looking at a workspace', () => {
  it('leaves it and every git directory as they are, byte for byte, whatever is in it', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    const { git } = repositoryAt(work.path);
    for (const name of NASTY) await writeFile(join(work.path, name), `${JSON.stringify(name)}\n`);
    await writeFile(Buffer.concat([Buffer.from(`${work.path}/`), Buffer.from([0x66, 0xff, 0x80])]), 'no UTF-8\n');
    await writeFile(join(work.path, 'binary'), Buffer.from([0, 1, 2, 255]));
    await writeFile(join(work.path, 'large.txt'), `${'x'.repeat(99)}\n`.repeat(50_000));
    await symlink('/etc/passwd', join(work.path, 'passwd'));
    await symlink('/etc', join(work.path, 'etc'));
    await git('add', '-N', 'binary');
    const [workspace, engine] = [work.path, at.world.home.repository(work.id)];
    const [before, engineBefore] = [await imageOf(workspace), await imageOf(engine)];

    const { text, left, leftOut } = await diffOf(work);
    expect(await imageOf(workspace)).toEqual(before);
    expect(await imageOf(engine)).toEqual(engineBefore);
    expect(await readdir(at.world.home.live)).toEqual([]);
    expect({ left, leftOut }).toEqual({ left: [{ path: 'large.txt', reason: 'too_large' }], leftOut: 1 });
    for (const name of NASTY) expect(text).toContain(`\n+${JSON.stringify(name)}\n`);
    expect(text).toContain('+no UTF-8');
    expect(text).toMatch(/new file mode 120000\n(?:[^\n]*\n){3,4}\+\/etc\/passwd\n/);
    expect(text).toContain('Binary files /dev/null and b/binary differ');
    expect(text).not.toContain('root:');
    expect(text).not.toContain('xxxx');
    for (const path of ['etc/passwd', '../../../../../../etc/passwd', '/etc/passwd', 'large.txt', '.git/config']) {
      const shown = await (await live(work, `file?path=${encodeURIComponent(path)}`)).json();
      expect(shown, path).toMatchObject({ file: { state: 'absent', text: null } });
    }
  });

  it('has an end, with ten thousand new files', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    await mkdir(join(work.path, 'many'));
    for (let n = 0; n < 10_000; n += 100) {
      const names = Array.from({ length: 100 }, (_, of) => join(work.path, 'many', `${n + of}.txt`));
      await Promise.all(names.map((name) => writeFile(name, `${name}\n`)));
    }
    const { changed, leftOut, left, files } = await filesOf(work);
    expect({ changed, leftOut, left: left.length, files: files.length }).toEqual({
      ...{ changed: 1_000, leftOut: 9_000, left: 100, files: 400 },
    });
    const small = await live(work, 'diff?maxBytes=4096');
    const { text, truncated, omitted } = (await small.json()) as LiveDiff;
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThan(4_097);
    expect(omitted.length).toBeGreaterThan(900);
  });

  it('is never broken by what is written meanwhile, and follows no folder that becomes a link', async () => {
    const work = await beginWork(at.world, 'w1', at.rig.repo);
    const outside = join(at.rig.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'a.txt'), 'of somebody else\n');
    const folder = join(work.path, 'folder');
    let isOver = false;
    const writes = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'a.txt'), 'own\n'.repeat((n * 977) % 20_000));
        await writeFile(join(work.path, `t${n % 7}`), `${n}\n`);
        await rm(join(work.path, `t${(n + 3) % 7}`), { force: true });
        await rename(folder, `${folder}.away`);
        await symlink(outside, folder);
        await rm(folder);
        await rm(`${folder}.away`, { recursive: true });
      }
    })();
    for (let n = 0; n < 6; n += 1) {
      const answer = await live(work, 'diff');
      expect(answer.status).toBe(200);
      expect(((await answer.json()) as LiveDiff).text).not.toContain('of somebody else');
    }
    isOver = true;
    await writes;
  });
});
