import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { git } from '../../../src/workspace/git/run-git.ts';
import { userGit } from '../../../src/workspace/user-repository/user-git.ts';

export const STAMP = { author: { name: 'Engine', email: 'engine@example.org' }, at: 1_700_000_000 };

/** A user's repository on `main` with one commit, and the engine's bare git directory that borrows its objects. */
export interface Sandbox {
  readonly root: string;
  readonly repo: string;
  readonly userGitDir: string;
  readonly engineGitDir: string;
  readonly stateDir: string;
  readonly userEnv: Readonly<Record<string, string>>;
  readonly first: string;
  /** Runs git in the user's checkout as the user; answers trimmed stdout. */
  user(...args: string[]): Promise<string>;
  userAt(directory: string, ...args: string[]): Promise<string>;
  write(path: string, content: string, mode?: number): Promise<void>;
  read(path: string): Promise<string>;
  /** A commit in the engine's directory: `files` over the parent's tree, null removes. */
  engineCommit(
    parent: string,
    files: Readonly<Record<string, string | null>>,
    options?: CommitOptions,
  ): Promise<string>;
  /** Everything git says about the checkout. */
  status(): Promise<string>;
}

export interface CommitOptions {
  readonly message?: string;
  readonly author?: string;
  readonly executable?: readonly string[];
  readonly links?: readonly string[];
}

const roots: string[] = [];

afterEach(async () => {
  for (const root of roots.splice(0)) {
    const leaked = await processesNaming(root);
    for (const { pid } of leaked) process.kill(pid, 'SIGKILL');
    await rm(root, { recursive: true, force: true });
    if (leaked.length > 0) throw new Error(`left running: ${leaked.map(({ command }) => command).join('; ')}`);
  }
});

async function processesNaming(root: string): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string) => ({
    pid: Number(pid),
    command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
  });
  return (await Promise.all(pids.map(read))).filter(({ command }) => command.includes(root));
}

/** A scratch directory that is removed after the test. */
export async function scratch(name = 'work center ü'): Promise<string> {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'wc-landing-'))), name);
  await mkdir(root);
  roots.push(dirname(root));
  return root;
}

export async function makeSandbox(
  files: Readonly<Record<string, string>> = { 'a.txt': 'a1\n', 'b.txt': 'b1\n', 'dir/c.txt': 'c1\n' },
  config: Readonly<Record<string, string>> = {},
): Promise<Sandbox> {
  const root = await scratch();
  const repo = join(root, 'répo main');
  const home = join(root, 'home');
  await mkdir(repo);
  await mkdir(home);
  const userEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home };
  const settings = { 'user.name': 'Ursula', 'user.email': 'ursula@example.org', ...config };
  const userAt = async (cwd: string, ...args: string[]) => (await userGit(args, { cwd, userEnv })).replace(/\n$/, '');
  const user = (...args: string[]) => userAt(repo, ...args);
  await user('init', '--quiet', '--initial-branch=main');
  for (const [key, value] of Object.entries(settings)) await user('config', key, value);
  const sandbox = { root, repo, userGitDir: join(repo, '.git'), engineGitDir: join(root, 'engine.git'), userEnv };
  const write = async (path: string, content: string, mode?: number) => {
    await mkdir(dirname(join(repo, path)), { recursive: true });
    await writeFile(join(repo, path), content);
    if (mode !== undefined) await chmod(join(repo, path), mode);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  await user('add', '--all');
  await user('commit', '--quiet', '--message', 'first');
  await git(['init', '--quiet', '--bare', sandbox.engineGitDir]);
  await writeFile(join(sandbox.engineGitDir, 'objects/info/alternates'), `${sandbox.userGitDir}/objects\n`);
  return {
    ...sandbox,
    stateDir: join(root, 'state'),
    first: await user('rev-parse', 'HEAD'),
    user,
    userAt,
    write,
    read: (path) => readFile(join(repo, path), 'utf8'),
    engineCommit: (parent, changes, options) => engineCommit(sandbox.engineGitDir, root, parent, changes, options),
    status: () => userGit(['status', '--porcelain=v1', '--untracked-files=all'], { cwd: repo, userEnv }),
  };
}

let counter = 0;

async function engineCommit(
  gitDir: string,
  root: string,
  parent: string,
  files: Readonly<Record<string, string | null>>,
  options: CommitOptions = {},
): Promise<string> {
  counter += 1;
  const indexFile = join(root, `index-${counter}`);
  await git(['read-tree', parent], { gitDir, indexFile });
  for (const [path, content] of Object.entries(files)) {
    if (content === null) {
      await git(['update-index', '--force-remove', '--', path], { gitDir, indexFile, workTree: root });
      continue;
    }
    const oid = await git(['hash-object', '-w', '--stdin'], { gitDir, input: content });
    const mode = options.links?.includes(path) ? '120000' : options.executable?.includes(path) ? '100755' : '100644';
    await git(['update-index', '--add', '--replace', '--cacheinfo', `${mode},${oid},${path}`], { gitDir, indexFile });
  }
  const tree = await git(['write-tree'], { gitDir, indexFile });
  const name = options.author ?? 'Agent';
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: 'agent@example.org',
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: 'agent@example.org',
    GIT_AUTHOR_DATE: '@1699999999 +0100',
    GIT_COMMITTER_DATE: '@1699999999 +0100',
  };
  return git(['commit-tree', tree, '-p', parent, '-m', options.message ?? `change ${counter}`], { gitDir, env });
}

/** Resolves once the file exists; the test's own time-out is the guard against a hang. */
export async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
}
