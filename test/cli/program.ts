import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll } from 'vitest';
import { buildProgram } from '../../scripts/build-program.ts';
import { builtOnce, newestIn, ROOT } from '../support/built-once.ts';
import { builtPage } from '../web/built-page.ts';

const exec = promisify(execFile);

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output or error holds the words; rejects when the process ends without. */
  readonly says: (words: string) => Promise<void>;
  /** Both streams so far. */
  readonly said: () => string;
}

/** One data directory and one program, both in directories that are removed. */
export interface Installation {
  readonly root: string;
  readonly home: string;
  /** What starts the program, for clients that start it themselves. */
  readonly command: { readonly file: string; readonly args: readonly string[] };
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
  readonly start: (args: readonly string[], options?: RunOptions) => Running;
  /** Standard output as the one JSON document it must be. */
  readonly json: (args: readonly string[], options?: RunOptions) => Promise<{ code: number | null; data: unknown }>;
  readonly write: (path: string, text: string) => Promise<string>;
  /** A git repository with one commit, and a path with a space and an umlaut. */
  readonly repository: (files?: Readonly<Record<string, string>>) => Promise<string>;
  readonly git: (cwd: string, ...args: readonly string[]) => Promise<string>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input; nothing by default. */
  readonly input?: string | Uint8Array;
}

let program = '';

/** The program as a user installs it, beside nothing of the checkout's `dist`. */
export function compiledProgram({ page = false } = {}): void {
  beforeAll(async () => {
    program = await realpath(await (page ? programWithPage() : programAlone()));
  }, 120_000);
}

const programAlone = async (): Promise<string> =>
  builtOnce('workcenter-program', await newestIn(['src', 'scripts']), async (target) => {
    if (!(await buildProgram(join(target, 'dist')))) throw new Error('The program does not compile.');
    await copyFile(join(ROOT, 'package.json'), join(target, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'));
    await symlink(join(ROOT, 'examples'), join(target, 'examples'));
  });

async function programWithPage(): Promise<string> {
  const [alone, page] = await Promise.all([programAlone(), builtPage()]);
  return builtOnce('workcenter-program-and-page', await newestIn(['src', 'scripts', 'web']), async (target) => {
    await cp(alone, target, { recursive: true, verbatimSymlinks: true });
    await symlink(page, join(target, 'dist/web'));
  });
}

const made: string[] = [];
const running = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const path of made.splice(0)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
});

const KEPT = Object.entries(process.env).filter(([name]) => !/^(NODE_|VITEST|npm_|WORKCENTER_|FORCE_COLOR)/.test(name));

const mainFile = (): string => join(program, 'dist/cli/main.js');

function startProgram(home: string, args: readonly string[], options: RunOptions): Running {
  const env = { ...Object.fromEntries(KEPT), WORKCENTER_HOME: home, ...options.env };
  const child = spawn(process.execPath, [mainFile(), ...args], {
    cwd: options.cwd ?? home,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that does not read it may be gone before all of it is written.
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  running.add(child);
  let out = '';
  let err = '';
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of [...listeners]) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    heard();
  });
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      running.delete(child);
      done({ code, out, err });
      heard();
    });
  });
  const says = (words: string): Promise<void> =>
    new Promise((done, fail) => {
      const look = (): void => {
        const found = `${out}${err}`.includes(words);
        if (!found && running.has(child)) return;
        listeners.delete(look);
        if (found) done();
        else fail(new Error(`ended without saying "${words}":\n${out}\n${err}`));
      };
      listeners.add(look);
      look();
    });
  return { child, ended, says, said: () => `${out}${err}` };
}

async function makeRepository(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(root, 'my prüf project');
  await mkdir(path, { recursive: true });
  const git = (...args: readonly string[]) => exec('git', ['-C', path, ...args]);
  await git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  await git('add', '.');
  await git('-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '-qm', 'first');
  return path;
}

export async function install(): Promise<Installation> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'workcenter-cli-')));
  made.push(root);
  const home = join(root, 'home');
  await mkdir(home);
  const start: Installation['start'] = (args, options = {}) => startProgram(home, args, options);
  const run: Installation['run'] = (args, options) => start(args, options).ended;
  return {
    root,
    home,
    command: { file: process.execPath, args: [mainFile()] },
    start,
    run,
    json: async (args, options) => {
      const { code, out, err } = await run([...args, '--json'], options);
      const lines = out.trimEnd().split('\n');
      if (lines.length !== 1) throw new Error(`expected one document, found ${lines.length} lines:\n${out}\n${err}`);
      return { code, data: JSON.parse(lines[0] ?? '') };
    },
    write: async (path, text) => {
      const target = resolve(root, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      return target;
    },
    repository: (files = { 'a.txt': 'broken\n' }) => makeRepository(root, files),
    git: async (cwd, ...args) => (await exec('git', ['-C', cwd, ...args])).stdout.trim(),
  };
}
