import { execFile } from 'node:child_process';
import { access, appendFile, chmod, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { codeOf, type Ground, ground, use } from './support.ts';

const git = (cwd: string, ...args: string[]) =>
  promisify(execFile)('git', args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  }).then(({ stdout }) => stdout.trim());

async function repository(files: Record<string, string> = { 'a ä.txt': 'one\n', 'b.txt': 'b\n' }): Promise<Ground> {
  const at = await ground();
  await git(at.workspace, 'init', '-q', '-b', 'main');
  await at.put(files);
  await git(at.workspace, 'add', '-A');
  await git(at.workspace, 'commit', '-q', '-m', 'first');
  return at;
}

const look = (at: Ground, input: object) => use('git_read', input, at);

test('status, diff, show, log and blame tell what git knows', async () => {
  const at = await repository();
  await at.put({ 'a ä.txt': 'one\ntwo\n', 'new.txt': 'n' });
  expect((await look(at, { operation: 'status' })).text).toBe('## main\n M "a ä.txt"\n?? new.txt');
  expect((await look(at, { operation: 'diff' })).text).toContain('+two');
  expect((await look(at, { operation: 'diff', paths: ['b.txt'] })).text).toBe('(Nothing to show.)');
  await git(at.workspace, 'commit', '-qam', 'second');
  expect((await look(at, { operation: 'diff', base: 'HEAD~1', head: 'HEAD' })).text).toContain('+two');
  expect((await look(at, { operation: 'show' })).text).toMatch(/Author: Ada[\s\S]*second[\s\S]*\+two/);
  const log = await look(at, { operation: 'log', limit: 1 });
  expect(log.text).toMatch(/^[0-9a-f]{7} \d{4}-\d\d-\d\d Ada\n {4}second$/);
  expect((await look(at, { operation: 'log', paths: ['b.txt'] })).text).toContain('first');
  const blame = await look(at, { operation: 'blame', paths: ['a ä.txt'], lines: '2,2' });
  expect(blame.text).toMatch(/\(Ada \d{4}-\d\d-\d\d 2\) two$/);
});

test('it needs no file to exist: history of deleted files and folders is shown', async () => {
  const at = await repository({ 'dir/x.txt': 'x\n', 'keep.txt': 'k\n' });
  await rm(join(at.workspace, 'dir'), { recursive: true });
  expect((await look(at, { operation: 'log', paths: ['dir/x.txt'] })).text).toContain('first');
  expect((await look(at, { operation: 'diff', paths: ['dir'] })).text).toContain('deleted file');
});

test('V30, G14: values that git could take for options or that lead out are refused before git runs', async () => {
  const at = await repository();
  const cases = [
    [{ operation: 'log', revision: '--output=/tmp/x' }, 'bad_path'],
    [{ operation: 'diff', base: '-O/etc/passwd' }, 'bad_path'],
    [{ operation: 'show', revision: 'HEAD\n--output=x' }, 'bad_path'],
    [{ operation: 'diff', paths: ['--no-index'] }, 'bad_path'],
    [{ operation: 'diff', paths: ['../outside'] }, 'outside_workspace'],
    [{ operation: 'diff', paths: ['/etc/passwd'] }, 'outside_workspace'],
    [{ operation: 'show', paths: ['.git/config'] }, 'protected'],
    [{ operation: 'blame' }, 'bad_path'],
    [{ operation: 'status', revision: 'HEAD' }, 'bad_path'],
    [{ operation: 'log', base: 'HEAD' }, 'bad_path'],
  ] as const;
  for (const [input, code] of cases) expect(codeOf(await look(at, input)), JSON.stringify(input)).toBe(code);
  await expect(look(at, { operation: 'log', limit: 51 })).rejects.toThrow();
  await expect(
    look(at, { operation: 'blame', paths: ['b.txt'], lines: '1,2 --contents=/etc/passwd' }),
  ).rejects.toThrow();
  await expect(look(at, { operation: 'push' })).rejects.toThrow();
  await expect(look(at, { operation: 'log', revision: 'x'.repeat(4_097) })).rejects.toThrow();
});

test('paths are literal: a name with magic characters means itself', async () => {
  const at = await repository({ ':(top)x.txt': 'magic\n', 'x.txt': 'plain\n', '*.txt': 'star\n' });
  expect((await look(at, { operation: 'show', paths: ['*.txt'] })).text).not.toContain('plain');
  expect((await look(at, { operation: 'show', paths: [':(top)x.txt'] })).text).toContain('magic');
});

test('an unknown revision and a plain folder say what to do next', async () => {
  const at = await repository();
  const unknown = await look(at, { operation: 'show', revision: 'nosuch' });
  expect(codeOf(unknown)).toBe('git_failed');
  expect(unknown.text).toContain('Check the revision and the paths');
  expect(codeOf(await look(await ground(), { operation: 'status' }))).toBe('not_a_repository');
});

test('a long answer is cut and says so', async () => {
  const at = await repository({ 'long.txt': Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n') });
  const { text } = await look(at, { operation: 'show' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30 * 1024 + 200);
  expect(text).toMatch(/\(Cut after \d+ lines\. Name paths or a smaller range to see the rest\.\)$/);
});

test('nothing that the repository configures is run: hooks, pager, external diff, text conversion, filters, monitor', async () => {
  const at = await repository();
  const ran = join(at.root, 'ran');
  const trap = join(at.root, 'trap.sh');
  await writeFile(trap, `#!/bin/sh\necho "$0 $@" >> '${ran}'\ncat\n`);
  await chmod(trap, 0o755);
  const settings = {
    'core.pager': trap,
    'pager.log': trap,
    'core.fsmonitor': trap,
    'diff.external': trap,
    'diff.evil.command': trap,
    'diff.evil.textconv': trap,
    'filter.evil.clean': trap,
    'filter.evil.smudge': trap,
    'filter.evil.process': trap,
    'filter.evil.required': 'true',
    'filter.odd.name =x.clean': trap,
    'core.hooksPath': at.root,
    'core.sshCommand': trap,
    'status.submoduleSummary': 'true',
    'log.showSignature': 'true',
    'gpg.program': trap,
  };
  for (const [key, value] of Object.entries(settings)) await git(at.workspace, 'config', key, value);
  await at.put({
    '.gitattributes': '*.txt diff=evil filter=evil\n*.md filter=odd.name\\ =x\n',
    'b.txt': 'changed\n',
    'c.md': 'c\n',
  });
  for (const input of [
    { operation: 'status' },
    { operation: 'diff' },
    { operation: 'show' },
    { operation: 'log' },
    { operation: 'blame', paths: ['b.txt'] },
  ]) {
    expect(codeOf(await look(at, input)), JSON.stringify(input)).toBe('ok');
  }
  expect((await look(at, { operation: 'diff' })).text).toContain('+changed');
  await expect(access(ran)).rejects.toThrow('ENOENT');
});

test('a partial clone fetches nothing: what it lacks is an error', async () => {
  const at = await repository();
  const ran = join(at.root, 'ran');
  const trap = join(at.root, 'trap.sh');
  await writeFile(trap, `#!/bin/sh\ntouch '${ran}'\n`);
  await chmod(trap, 0o755);
  const blob = await git(at.workspace, 'rev-parse', 'HEAD:b.txt');
  await git(at.workspace, 'config', 'core.repositoryFormatVersion', '1');
  await git(at.workspace, 'config', 'extensions.partialClone', 'origin');
  await git(at.workspace, 'config', 'remote.origin.url', at.root);
  await git(at.workspace, 'config', 'remote.origin.promisor', 'true');
  await git(at.workspace, 'config', 'remote.origin.uploadpack', `'${trap}'`);
  await rm(join(at.workspace, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect(codeOf(await look(at, { operation: 'show', revision: 'HEAD:b.txt' }))).toBe('git_failed');
  await expect(access(ran)).rejects.toThrow('ENOENT');
});

test('the work tree is the workspace and git’s folder its own, whatever the repository says', async () => {
  const at = await repository();
  await git(at.workspace, 'config', 'core.worktree', at.outside);
  for (const mode of ['shared', 'isolated-write'] as const) {
    const inMode = { ...at, context: { ...at.context, mode } };
    expect((await look(inMode, { operation: 'status' })).text, mode).toBe('## main');
  }
  const other = await repository({ 'foreign.txt': 'foreign\n' });
  await writeFile(join(at.workspace, '.git/commondir'), `${join(other.workspace, '.git')}\n`);
  expect(codeOf(await look(at, { operation: 'log' }))).toBe('not_a_repository');
  await rename(join(other.workspace, '.git'), join(other.root, 'moved.git'));
  await writeFile(join(other.workspace, '.git'), `gitdir: ${join(other.root, 'moved.git')}\n`);
  expect(codeOf(await look(other, { operation: 'log' }))).toBe('not_a_repository');
  const shared = { ...other, context: { ...other.context, mode: 'shared' as const } };
  expect((await look(shared, { operation: 'log' })).text).toContain('first');
  await rm(join(other.workspace, '.git'));
  await symlink(join(other.root, 'moved.git'), join(other.workspace, '.git'));
  expect(codeOf(await look(other, { operation: 'log' }))).toBe('not_a_repository');
});

test('looking changes nothing in the repository, not even the index', async () => {
  const at = await repository();
  const index = join(at.workspace, '.git/index');
  await appendFile(join(at.workspace, 'b.txt'), 'more\n');
  const before = await stat(index);
  const objects = await readdir(join(at.workspace, '.git/objects'));
  for (const operation of ['status', 'diff', 'log', 'show']) await look(at, { operation });
  const after = await stat(index);
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect(await readdir(join(at.workspace, '.git/objects'))).toEqual(objects);
});

test('more filters than can be silenced are refused', async () => {
  const at = await repository();
  const config = Array.from({ length: 201 }, (_, index) => `[filter "f${index}"]\n\tclean = cat\n`).join('');
  await appendFile(join(at.workspace, '.git/config'), config);
  await mkdir(join(at.workspace, 'x'));
  expect(codeOf(await look(at, { operation: 'status' }))).toBe('too_many_filters');
});
