import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { ItemState } from '../../src/core/index.ts';
import { carried, gate, reached, started, submitted } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const run = promisify(execFile);
const AS = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'protocol.file.allow=always'];

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n' };

const plan = (command = 'echo changed > a.txt', check = 'grep -qx changed a.txt', more = 'delivery: merge\n') => `
goal: change a
criteria:
  - text: a is changed
    check: ${JSON.stringify(check)}
${more}actions:
  - id: work
    run: ${JSON.stringify(command)}
    for: [c1]
`;

const evidenceOf = (state: ItemState): readonly string[] =>
  state.actions.flatMap(({ result }) =>
    result?.outcome.kind === 'completed' ? result.outcome.evidence.map(({ label }) => label) : [],
  );

describe('odd repositories', () => {
  let bench: Workbench;
  afterEach(() => bench.close());

  /** Git in any directory; the workbench's own is bound to its repository. */
  const gitIn = async (directory: string, ...args: string[]) =>
    (await run('git', [...AS, ...args], { cwd: directory })).stdout.trim();

  async function repositoryAt(...names: string[]): Promise<string> {
    const directory = join(bench.root, ...names);
    await mkdir(directory, { recursive: true });
    await gitIn(directory, 'init', '-q', '-b', 'main');
    return directory;
  }

  const clean = async () => expect(await bench.git('status', '--porcelain')).toBe('');

  it('a repository without a commit is refused early, with advice', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const directory = await repositoryAt('empty');
    const refused = await bench.submit(plan(), { directory });
    expect(refused).toMatchObject({ code: 'invalid_field', message: 'The repository has no commit yet.' });
    expect('code' in refused && refused.next).toContain('first commit');
  });

  it('a bare repository and a file instead of a directory are refused early, with advice', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await gitIn(bench.root, 'clone', '-q', '--bare', bench.repo, 'bare.git');
    const bare = await bench.submit(plan(), { directory: join(bench.root, 'bare.git') });
    expect('code' in bare && bare.next).toContain('Clone it');
    const file = await bench.submit(plan(), { directory: join(bench.repo, 'a.txt') });
    expect(file).toMatchObject({ message: 'The path is not a directory.' });
    const nothing = await bench.submit(plan(), { directory: join(bench.root, 'nowhere') });
    expect(nothing).toMatchObject({ message: 'The directory does not exist.' });
  });

  it('a submodule stays what it is: neither shown as deleted nor changed by the result', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const library = await repositoryAt('library');
    await writeFile(join(library, 'lib.txt'), 'lib\n');
    await gitIn(library, 'add', '-A');
    await gitIn(library, 'commit', '-qm', 'Library');
    await gitIn(bench.repo, 'submodule', '--quiet', 'add', library, 'lib');
    await bench.commit('Add the submodule');
    const state = await carried(bench, plan());
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('diff', '--name-only', 'main~1', 'main')).toBe('a.txt');
    expect(await readFile(join(bench.repo, 'lib', 'lib.txt'), 'utf8')).toBe('lib\n');
    await clean();
  });

  it('a project in a subfolder works there, and its checks run there', async () => {
    bench = await openWorkbench({ sandbox: false, files: { ...FILES, 'packages/one/a.txt': 'inner\n' } });
    const state = await carried(bench, plan('test "$(cat a.txt)" = inner && echo changed > a.txt'), {
      directory: join(bench.repo, 'packages', 'one'),
    });
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('diff', '--name-only', 'main~1', 'main')).toBe('packages/one/a.txt');
    await clean();
  });

  it('a detached HEAD is worked from; a branch is published, and merge without a branch is refused or asks', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.git('checkout', '-q', '--detach');
    const state = await carried(bench, plan(undefined, undefined, ''));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('changed');
    const merge = await bench.submit(plan());
    expect('code' in merge && merge.message).toContain('branch');
  });

  it('a folder with a space and an umlaut gives the same result', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const directory = await repositoryAt('mein Ordner ä', 'Größe "1"');
    await writeFile(join(directory, 'a.txt'), 'a\n');
    await writeFile(join(directory, 'b ü.txt'), 'b\n');
    await gitIn(directory, 'add', '-A');
    await gitIn(directory, 'commit', '-qm', 'Begin');
    const state = await carried(bench, plan("echo changed > a.txt; echo x >> 'b ü.txt'"), { directory });
    expect(state.lifecycle).toBe('done');
    expect(state.finalResult?.outputs.map(({ ref }) => ref).sort()).toEqual(['a.txt', 'b ü.txt']);
    expect(await readFile(join(directory, 'b ü.txt'), 'utf8')).toBe('b\nx\n');
    expect(await gitIn(directory, 'status', '--porcelain')).toBe('');
  });

  it('the same folder holds with the sandbox in force', async () => {
    bench = await openWorkbench({ files: FILES });
    const directory = await repositoryAt('mein Ordner ä');
    await writeFile(join(directory, 'a.txt'), 'a\n');
    await gitIn(directory, 'add', '-A');
    await gitIn(directory, 'commit', '-qm', 'Begin');
    expect((await carried(bench, plan(), { directory })).lifecycle).toBe('done');
  });

  it('CRLF files stay CRLF, and only the changed one differs', async () => {
    bench = await openWorkbench({ sandbox: false, files: { 'a.txt': 'a\r\nb\r\n', 'c.txt': 'c\r\n' } });
    const state = await carried(bench, plan("printf 'changed\\r\\nb\\r\\n' > a.txt", 'grep -q changed a.txt'));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('diff', '--name-only', 'main~1', 'main')).toBe('a.txt');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('changed\r\nb\r\n');
    expect(await readFile(join(bench.repo, 'c.txt'), 'utf8')).toBe('c\r\n');
    await clean();
  });

  it('with text=auto eol=crlf the checkout gets CRLF and the commit LF, as git itself would do it', async () => {
    bench = await openWorkbench({ sandbox: false, files: { ...FILES, '.gitattributes': '* text=auto eol=crlf\n' } });
    await bench.git('rm', '-q', '--cached', '-r', '.');
    await bench.git('reset', '-q', '--hard');
    const state = await carried(bench, plan("printf 'changed\\n' > a.txt", 'grep -q changed a.txt'));
    expect(state.lifecycle).toBe('done');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('changed\r\n');
    expect(await bench.git('diff', '--name-only', 'main~1', 'main')).toBe('a.txt');
    await clean();
  });

  it('D31: a nested repository that git does not track is never swallowed into the result, and is named', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const make =
      'git init -q inner && cd inner && echo x > x.txt && git add . && ' +
      'git -c user.name=t -c user.email=t@example.invalid commit -qm x && cd .. && echo changed > a.txt';
    const state = await carried(bench, plan(make));
    const tree = await bench.git('ls-tree', '-r', 'main');
    expect(tree).not.toContain('160000');
    expect(state.lifecycle).toBe('done');
    expect(evidenceOf(state).join()).toMatch(/Left out of the result: inner\/? \(nested_repository\)\./);
  });

  it('an LFS pointer whose filter is not installed passes through unchanged', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;
    bench = await openWorkbench({
      sandbox: false,
      files: { ...FILES, 'big.bin': pointer, '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' },
    });
    const state = await carried(bench, plan('grep -q git-lfs big.bin && echo changed > a.txt'));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('diff', '--name-only', 'main~1', 'main')).toBe('a.txt');
    expect(await readFile(join(bench.repo, 'big.bin'), 'utf8')).toBe(pointer);
  });

  it('a sparse checkout shows nothing as deleted, and landing writes only what it is to have', async () => {
    bench = await openWorkbench({ sandbox: false, files: { ...FILES, 'in/x.txt': 'x\n', 'out/y.txt': 'y\n' } });
    await bench.git('sparse-checkout', 'set', 'in');
    const state = await carried(bench, plan('echo changed > a.txt; echo z > out/z.txt; test -e out/y.txt'));
    expect(state.lifecycle).toBe('done');
    expect((await bench.git('diff', '--name-status', 'main~1', 'main')).split('\n')).toEqual([
      'M\ta.txt',
      'A\tout/z.txt',
    ]);
    await expect(readFile(join(bench.repo, 'out', 'z.txt'))).rejects.toThrow('ENOENT');
    await clean();
  });

  it('a linked worktree is landed on where it lies, and the main checkout is left alone', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const directory = join(bench.root, 'linked');
    await bench.git('worktree', 'add', '-q', '-b', 'feature', directory);
    const state = await carried(bench, plan(), { directory });
    expect(state.lifecycle).toBe('done');
    expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(await bench.git('show', 'main:a.txt')).toBe('a');
    expect(await gitIn(directory, 'status', '--porcelain')).toBe('');
    await clean();
  });

  it('an executor that switches branch by itself changes what it committed there, and nothing of the user', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const own =
      'git checkout -q -b own && echo changed > a.txt && git add a.txt && ' +
      'git -c user.name=t -c user.email=t@example.invalid commit -qm "Own words"';
    const state = await carried(bench, plan(own));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('log', '--format=%s', 'main')).toContain('Own words');
    expect(await bench.git('branch', '--list', 'own')).toBe('');
  });

  it("the user's own git gc --prune=now and a rewritten branch meanwhile take nothing away that the work needs", async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    await bench.write('b.txt', 'begun\n');
    await bench.commit('To be rewritten');
    const door = gate(bench, 'door');
    const id = await submitted(bench, plan(`${door.wait}; grep -q begun b.txt; echo changed > a.txt`, undefined, ''));
    const engine = await started(bench);
    await reached(door);
    await bench.git('reset', '-q', '--hard', 'HEAD~1');
    await bench.git('reflog', 'expire', '--expire=now', '--all');
    await bench.git('gc', '-q', '--prune=now');
    await door.open();
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${id}:a.txt`, `workcenter/${id}:b.txt`)).toBe('changed\nbegun');
    await bench.git('fsck', '--no-dangling', '--no-progress');
  });

  it('D31: an executor that rewrites the history it was given has its files on the planned base, and that is said', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const before = await bench.git('rev-parse', 'main');
    const amend =
      'echo changed > a.txt && git -c user.name=t -c user.email=t@example.invalid commit -qa --amend -m Rewritten';
    const state = await carried(bench, plan(amend, undefined, ''));
    expect(state.lifecycle).toBe('done');
    await bench.git('merge-base', '--is-ancestor', before, `workcenter/${state.id}`);
    expect(evidenceOf(state).join()).toContain('they do not descend from the commit it was given');
  });
});
