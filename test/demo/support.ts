import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach } from 'vitest';
import { makeDemoProject } from '../../src/cli/demo/demo-project.ts';
import { compiledScript } from '../support/compiled-script.ts';

const places: string[] = [];
const running = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const place of places.splice(0)) await rm(place, { recursive: true, force: true });
});

/** A directory of its own, with a space and an umlaut in its path; removed after the test. */
export async function place(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'wörk demo-')));
  places.push(path);
  return path;
}

export interface Project {
  readonly repository: string;
  readonly agents: string;
}

/** The demo's project, freshly made. */
export async function demoProject(): Promise<Project> {
  const root = await place();
  const project = { repository: join(root, 'repository'), agents: join(root, 'agents') };
  await makeDemoProject({ ...project, at: Date.UTC(2026, 0, 5, 12) });
  return project;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables of the test runner itself, and whatever would let a test ask a real model. */
const KEPT_OUT = /^(NODE_|VITEST|npm_|WORKCENTER_)|_API_KEY$|_BASE_URL$/;

/** Runs a program to its end; its exit code is a value. */
export function runToEnd(
  cwd: string,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
  onOutput: (text: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const [program = '', ...args] = argv;
  const kept = Object.entries(process.env).filter(([name]) => !KEPT_OUT.test(name));
  const env = { ...Object.fromEntries(kept), ...more };
  return new Promise((settle, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: string[] = [];
    const err: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.push(text);
      onOutput(text, child);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    running.add(child);
    child.on('exit', () => running.delete(child));
    child.on('error', reject);
    child.on('close', (code) => settle({ code, stdout: out.join(''), stderr: err.join('') }));
  });
}

/** Names of failing tests of `npm test`, and how many there are in all. */
export async function npmTest(
  cwd: string,
): Promise<{ failing: readonly string[]; tests: number; code: number | null }> {
  const { stdout, code } = await runToEnd(cwd, ['npm', 'test', '--', '--test-reporter=tap']);
  const failing = [...stdout.matchAll(/^ *not ok \d+ - (.+)$/gm)].map(([, name]) => name ?? '');
  return { failing, tests: Number(/^# tests (\d+)$/m.exec(stdout)?.[1] ?? 0), code };
}

/** The command line from source. */
export const PROGRAM: readonly string[] = [
  process.execPath,
  await compiledScript(new URL('../../src/cli/main.ts', import.meta.url)),
];

export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd });
  return stdout.trimEnd();
}
