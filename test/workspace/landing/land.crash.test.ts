import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../src/workspace/git/run-git.ts';
import { importCommit } from '../../../src/workspace/landing/incoming-commit.ts';
import { completeLanding, landOnTarget } from '../../../src/workspace/landing/land.ts';
import { landingStatus, writeJob } from '../../../src/workspace/landing/landing-state.ts';
import { planLanding } from '../../../src/workspace/landing/plan-landing.ts';
import { compiledScript } from '../../support/compiled-script.ts';
import { appears, makeSandbox, type Sandbox } from './sandbox.ts';

const PHASES = ['claimed', 'locked', 'files', 'written', 'ref', 'index', 'unlocked'];
const FILES = { 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'dir/c.txt': 'c1\n', 'old/only.txt': 'o\n' };
const CHANGES = { 'a.txt': 'a2\n', 'new/ü.txt': 'n\n', 'old/only.txt': null };

const request = (box: Sandbox, commit: string) => ({ ...box, commit, branch: 'main' });

/** Lands with the user's own staged, unstaged and untracked edits beside it. */
async function start() {
  const box = await makeSandbox(FILES);
  await box.write('b.txt', 'staged\n');
  await box.user('add', 'b.txt');
  await box.write('dir/c.txt', 'unstaged\n');
  await box.write('notes.txt', 'untracked\n');
  const commit = await box.engineCommit(box.first, CHANGES);
  return { box, commit, edits: await box.status() };
}

async function fastForward(box: Sandbox, commit: string) {
  const plan = await planLanding(request(box, commit));
  if (plan.kind !== 'fast_forward') throw new Error(`unexpected plan ${plan.kind}`);
  return plan;
}

/** Kills the whole landing, as the kernel would at a power cut: no handler runs. */
async function killLanding(stateDir: string): Promise<void> {
  const status = await landingStatus(stateDir);
  if (status.kind !== 'running') throw new Error(`nothing to kill: ${status.kind}`);
  process.kill(-status.pid, 'SIGKILL');
  // The group is gone when its last member is, which may be after its leader.
  while ((await landingStatus(stateDir)).kind === 'running') await new Promise((go) => setTimeout(go, 10));
}

async function expectLanded(box: Sandbox, commit: string, edits: string): Promise<void> {
  expect(await box.user('rev-parse', 'main')).toBe(commit);
  expect(await box.read('a.txt')).toBe('a2\n');
  expect(await box.read('new/ü.txt')).toBe('n\n');
  expect(existsSync(join(box.repo, 'old'))).toBe(false);
  expect(await box.status()).toBe(edits);
  expect(existsSync(join(box.userGitDir, 'index.lock'))).toBe(false);
  expect(await box.user('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(await box.user('diff', '--cached', '--name-only')).toBe('b.txt');
}

test.each(PHASES)('D32 kill -9 of the landing at "%s" is completed by running again', async (phase) => {
  const { box, commit, edits } = await start();
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: phase });
  await appears(join(box.stateDir, 'paused'));
  expect(await completeLanding(box)).toEqual({ kind: 'running' });
  await killLanding(box.stateDir);
  expect(['interrupted', 'running']).toContain((await landing).kind);
  expect(await landingStatus(box.stateDir)).toEqual({ kind: 'interrupted', phase });
  expect(await landOnTarget(plan, request(box, commit), box)).toEqual({ kind: 'interrupted' });

  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  await expectLanded(box, commit, edits);
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
});

test.each(PHASES)('kill -9 of the completion itself at "%s" is completed again', async (phase) => {
  const { box, commit, edits } = await start();
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'files' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  await rm(join(box.stateDir, 'paused'));
  const completion = completeLanding({ ...box, pauseAt: phase });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  expect(['interrupted', 'running']).toContain((await completion).kind);

  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  await expectLanded(box, commit, edits);
});

test('a death between the record of the intent and the start of the process is completed', async () => {
  const { box, commit, edits } = await start();
  const plan = await fastForward(box, commit);
  await importCommit({ from: box.engineGitDir, into: box.userGitDir, commit });
  const { worktree, worktreeGitDir, expected } = plan;
  const where = { userGitDir: box.userGitDir, worktree, worktreeGitDir, branch: 'main' };
  await writeJob(box.stateDir, { schema: 1, token: 'workcenter landing 1', ...where, expected, commit });
  expect(await landingStatus(box.stateDir)).toEqual({ kind: 'interrupted', phase: 'intended' });
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  await expectLanded(box, commit, edits);
});

/** A filter that reports and then waits until the file `go` appears: git stands still in the middle of writing. */
async function slowCheckout() {
  const box = await makeSandbox({ ...FILES, '.gitattributes': '*.slow filter=slow\n', 'm.slow': 'm1\n' });
  const smudge = `touch '${box.root}/writing'; while [ ! -e '${box.root}/go' ]; do sleep 0.02; done; cat`;
  await box.user('config', 'filter.slow.clean', 'cat');
  await box.user('config', 'filter.slow.smudge', smudge);
  const commit = await box.engineCommit(box.first, { ...CHANGES, 'm.slow': 'm2\n', 'z.txt': 'z2\n' });
  return { box, commit };
}

test('kill -9 while git writes leaves half the files, which are recognised and completed', async () => {
  const { box, commit } = await slowCheckout();
  const landing = landOnTarget(await fastForward(box, commit), request(box, commit), { stateDir: box.stateDir });
  await appears(join(box.root, 'writing'));
  await killLanding(box.stateDir);
  await landing;
  expect(await box.read('a.txt')).toBe('a2\n');
  expect(existsSync(join(box.repo, 'z.txt'))).toBe(false);
  expect(await readFile(join(box.userGitDir, 'index.lock'), 'utf8')).toMatch(/^workcenter landing /);
  await truncate(join(box.repo, 'a.txt'), 1);

  await writeFile(join(box.root, 'go'), '');
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.read('a.txt')).toBe('a2\n');
  expect(await box.read('m.slow')).toBe('m2\n');
  expect(await box.read('z.txt')).toBe('z2\n');
  expect(await box.status()).toBe('');
});

test('a git that outlives its script is still the landing at work', async () => {
  const { box, commit } = await slowCheckout();
  const landing = landOnTarget(await fastForward(box, commit), request(box, commit), { stateDir: box.stateDir });
  await appears(join(box.root, 'writing'));
  const status = await landingStatus(box.stateDir);
  if (status.kind !== 'running') throw new Error(status.kind);
  process.kill(status.pid, 'SIGKILL');
  expect(await landing).toEqual({ kind: 'running' });
  expect(await completeLanding(box)).toEqual({ kind: 'running' });
  await writeFile(join(box.root, 'go'), '');
  while ((await landingStatus(box.stateDir)).kind === 'running') await new Promise((go) => setTimeout(go, 10));
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.status()).toBe('');
});

test('D32 the landing goes on when the process that started it is killed', async () => {
  const { box, commit } = await slowCheckout();
  const script = await compiledScript(new URL('./land-child.ts', import.meta.url));
  const args = [script, JSON.stringify(request(box, commit)), box.stateDir];
  const starter = spawn(process.execPath, args, { stdio: 'ignore' });
  await appears(join(box.root, 'writing'));
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  expect(await landingStatus(box.stateDir)).toMatchObject({ kind: 'running', phase: 'files' });
  await writeFile(join(box.root, 'go'), '');
  await appears(join(box.stateDir, 'result'));
  expect(await landingStatus(box.stateDir)).toMatchObject({ kind: 'settled', outcome: 'landed' });
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.status()).toBe('');
});

test('an edit of the user at a half-landed path is kept, the checkout is freed, and the landing can go on', async () => {
  const { box, commit, edits } = await start();
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'written' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  await box.write('a.txt', 'a2\nand mine\n');
  expect(await completeLanding(box)).toEqual({ kind: 'overlap', paths: ['a.txt'] });
  expect(await box.read('a.txt')).toBe('a2\nand mine\n');
  expect(existsSync(join(box.userGitDir, 'index.lock'))).toBe(false);
  await box.write('a.txt', 'a2\n');
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  await expectLanded(box, commit, edits);
});

test("after a crash another git's lock is not taken for ours", async () => {
  const { box, commit, edits } = await start();
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'claimed' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  const lock = join(box.userGitDir, 'index.lock');
  await writeFile(lock, 'DIRC');
  expect(await completeLanding(box)).toEqual({ kind: 'locked', lock });
  await rm(lock);
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  await expectLanded(box, commit, edits);
});

test('a crash in the middle of a change of line endings by attributes is completed in the new form', async () => {
  const box = await makeSandbox({ ...FILES, '.gitattributes': '* text=auto\n' });
  const files = { '.gitattributes': '* text=auto eol=crlf\n', 'a.txt': 'a2\n', 'x.txt': 'x\n' };
  const commit = await box.engineCommit(box.first, files);
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'files' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.read('a.txt')).toBe('a2\r\n');
  expect(await box.read('x.txt')).toBe('x\r\n');
  expect(await box.status()).toBe('');
});

test("a branch moved behind the lock's back gets its files back and is answered as moved", async () => {
  const { box, commit } = await slowCheckout();
  const theirs = await box.user('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'theirs');
  const landing = landOnTarget(await fastForward(box, commit), request(box, commit), { stateDir: box.stateDir });
  await appears(join(box.root, 'writing'));
  await box.user('update-ref', 'refs/heads/main', theirs);
  await writeFile(join(box.root, 'go'), '');
  expect(await landing).toEqual({ kind: 'moved', actual: theirs });
  expect(await box.read('a.txt')).toBe('a1\n');
  expect(await box.status()).toBe('');
  expect(await planLanding(request(box, commit))).toEqual({ kind: 'behind', targetHead: theirs });
});

test('a checkout that fails half-way (a required filter) is reported and completed once its cause is gone', async () => {
  const box = await makeSandbox({ ...FILES, '.gitattributes': '*.lfs filter=large\n' });
  await box.user('config', 'filter.large.clean', 'cat');
  await box.user('config', 'filter.large.smudge', 'exit 1');
  await box.user('config', 'filter.large.required', 'true');
  const commit = await box.engineCommit(box.first, { ...CHANGES, 'm.lfs': 'm\n' });
  const result = await landOnTarget(await fastForward(box, commit), request(box, commit), box);
  expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('m.lfs') });
  expect(existsSync(join(box.userGitDir, 'index.lock'))).toBe(false);
  expect(await box.user('rev-parse', 'main')).toBe(box.first);
  await box.user('config', 'filter.large.smudge', 'cat');
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.status()).toBe('');
});

test('a sparse checkout stays sparse when its landing is completed after a crash', async () => {
  const box = await makeSandbox({ ...FILES, 'far/x.txt': 'x1\n' });
  await box.user('sparse-checkout', 'set', 'dir');
  const commit = await box.engineCommit(box.first, { 'a.txt': 'a2\n', 'far/x.txt': 'x2\n', 'far/y.txt': 'y\n' });
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'files' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(existsSync(join(box.repo, 'far'))).toBe(false);
  expect(await box.read('a.txt')).toBe('a2\n');
  expect(await box.status()).toBe('');
});

test('a submodule that moved is recorded and its files are left to its owner, also after a crash', async () => {
  const box = await makeSandbox(FILES);
  const old = await box.user('rev-parse', 'HEAD');
  await box.user('update-index', '--add', '--cacheinfo', `160000,${old},sub`);
  await box.user('commit', '--quiet', '--message', 'submodule');
  await mkdir(join(box.repo, 'sub'));
  const head = await box.user('rev-parse', 'HEAD');
  const next = await box.engineCommit(head, { 'a.txt': 'a2\n' });
  const commit = await moveSubmodule(box, next, head);
  const plan = await fastForward(box, commit);
  const landing = landOnTarget(plan, request(box, commit), { stateDir: box.stateDir, pauseAt: 'files' });
  await appears(join(box.stateDir, 'paused'));
  await killLanding(box.stateDir);
  await landing;
  expect(await completeLanding(box)).toEqual({ kind: 'landed', commit });
  expect(await box.user('ls-files', '--stage', 'sub', 'newsub')).toBe(
    `160000 ${head} 0\tnewsub\n160000 ${head} 0\tsub`,
  );
  expect(await box.status()).toBe('');
});

async function moveSubmodule(box: Sandbox, parent: string, to: string): Promise<string> {
  const at = { gitDir: box.engineGitDir, indexFile: join(box.root, 'submodule.index') };
  await git(['read-tree', parent], at);
  await git(['update-index', '--cacheinfo', `160000,${to},sub`], at);
  await git(['update-index', '--add', '--cacheinfo', `160000,${to},newsub`], at);
  const env = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@x', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@x' };
  const tree = await git(['write-tree'], at);
  return git(['commit-tree', tree, '-p', parent, '-m', 'move'], { ...at, env });
}
