import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configureGit, GitFailure, git, runGit } from '../../../src/workspace/git/run-git.ts';
import { place, userGit, userRepository } from '../fixture.ts';

test('a non-zero exit is a value from runGit and a GitFailure from git', async () => {
  const root = await place();
  const result = await runGit(['rev-parse', 'HEAD'], { cwd: root });
  expect(result.code).toBe(128);
  expect(result.stderr).toContain('not a git repository');
  await expect(git(['rev-parse', 'HEAD'], { cwd: root })).rejects.toBeInstanceOf(GitFailure);
});

test('the bounds on time and output end the process with a named cause', async () => {
  const root = await place();
  await userRepository(join(root, 'r'), { 'a.txt': 'x'.repeat(100_000) });
  const cwd = join(root, 'r');
  await expect(runGit(['cat-file', 'blob', 'HEAD:a.txt'], { cwd, maxBytes: 1000 })).rejects.toThrow('1000 bytes');
  const cut = await runGit(['cat-file', 'blob', 'HEAD:a.txt'], { cwd, maxBytes: 1000, overflow: 'truncate' });
  expect(cut).toMatchObject({ code: 0, truncated: true, stdout: 'x'.repeat(1000) });
  const stuck = ['-c', 'alias.wait=!exec sleep 600', 'wait'];
  await expect(runGit(stuck, { cwd, timeoutMs: 100 })).rejects.toThrow('no end after 100 ms');
  await expect(runGit(stuck, { cwd, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('neither the surrounding GIT_ variables nor the login’s configuration reach git', async () => {
  const root = await place();
  await userRepository(join(root, 'r'), { 'a.txt': 'a' });
  process.env.GIT_DIR = '/nonexistent';
  try {
    expect(await git(['rev-parse', '--show-toplevel'], { cwd: join(root, 'r') })).toBe(join(root, 'r'));
  } finally {
    delete process.env.GIT_DIR;
  }
  expect(await git(['config', '--get-all', 'user.name'], { cwd: join(root, 'r') }).catch(() => 'none')).toBe('none');
  await userGit(join(root, 'r'), 'config', 'core.hooksPath', '/tmp');
  expect(await git(['config', 'core.hooksPath'], { cwd: join(root, 'r') })).toBe('/dev/null');
});

test('git is found where the person’s PATH has it, else where systems put it', async () => {
  const root = await place();
  await writeFile(join(root, 'git'), '#!/bin/sh\necho the git of this folder\n');
  await chmod(join(root, 'git'), 0o755);
  configureGit({ path: root });
  try {
    expect(await git(['version'])).toBe('the git of this folder');
  } finally {
    configureGit({});
  }
  expect(await git(['version'])).toMatch(/^git version /);
});
