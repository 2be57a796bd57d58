import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach } from 'vitest';
import { createEngineRepository } from '../../src/workspace/engine-repository/engine-repository.ts';
import type { CommitDescription } from '../../src/workspace/git/commit.ts';
import type { EngineRepository } from '../../src/workspace/git/repository.ts';
import { prepareWorkspace } from '../../src/workspace/isolated/prepare.ts';

const run = promisify(execFile);
const places: string[] = [];

afterEach(async () => {
  for (const place of places.splice(0)) await rm(place, { recursive: true, force: true });
});

/** A directory of its own, with a space and an umlaut in its path. */
export async function place(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'wörk center-')));
  places.push(path);
  return path;
}

/** Git as a user or an executor would run it: with the repository's own configuration. */
export async function userGit(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: cwd,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  });
  return stdout.trimEnd();
}

export async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

export async function commitAll(root: string, message: string): Promise<string> {
  await userGit(root, 'add', '-A');
  await userGit(root, 'commit', '-q', '--allow-empty', '-m', message);
  return userGit(root, 'rev-parse', 'HEAD');
}

export async function userRepository(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(root, { recursive: true });
  await userGit(root, 'init', '-q', '-b', 'main');
  await write(root, files);
  return commitAll(root, 'first');
}

export function described(message: string): CommitDescription {
  return { message, author: { name: 'Ünal', email: 'unal@example.org' }, at: 1_700_000_000 };
}

export interface Scene {
  readonly root: string;
  readonly source: string;
  readonly repo: EngineRepository;
  readonly base: string;
  readonly workspaces: string;
}

/** A user's repository with these files, and the engine's repository for one item of it. */
export async function scene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const root = await place();
  const source = join(root, 'user repo');
  const base = await userRepository(source, files);
  const repo = await createEngineRepository({
    gitDir: join(root, 'data', 'item.git'),
    source: { commonDir: join(source, '.git') },
    base,
    itemId: 'item1',
  });
  return { root, source, repo, base, workspaces: join(root, 'data', 'wörkspaces') };
}

export async function workspace(at: Scene, name = 'a', commit = at.base): Promise<string> {
  const path = join(at.workspaces, name);
  await prepareWorkspace({ repo: at.repo, path, commit, branch: 'work' });
  return path;
}

/** Names of temporary things left behind in a directory. */
export async function leftovers(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => /^(?:index-|import-)|\.(?:preparing-.*|removing|git-preparing)$/.test(name));
}
