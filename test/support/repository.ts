import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ENV } from './world.ts';

const run = promisify(execFile);
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];

/** A person's repository, worked on with git itself. */
export interface TestRepository {
  git(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Commits everything; answers the commit. */
  commit(message: string): Promise<string>;
}

/** The repository at `path`, which may not be there yet. */
export function repositoryAt(path: string): TestRepository {
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', [...AUTHOR, ...args], { cwd: path, env: ENV })).stdout.trim();
  return {
    git,
    async write(name, text) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    },
    async commit(message) {
      await git('add', '-A');
      await git('commit', '-q', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Makes a repository with one commit of `files` on `main`. */
export async function makeRepository(
  path: string,
  files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', 'b.txt': 'b\n' },
): Promise<TestRepository> {
  const repository = repositoryAt(path);
  await mkdir(path, { recursive: true });
  await repository.git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) await repository.write(name, text);
  await repository.commit('Begin');
  return repository;
}
