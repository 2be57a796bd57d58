import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { AgentTool, ToolContext, ToolOutput } from '../../src/executors/agent/tool.ts';
import { fileTools } from '../../src/executors/agent/tools/files/index.ts';
import { bare } from '../support/sandboxes.ts';

export const SECRET = 'outside-and-never-shown';

/** A workspace `ws` with a project folder in it, beside a folder that no tool may reach. */
export interface Ground {
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  readonly context: ToolContext;
  put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  text(path: string): Promise<string>;
}

const grounds: Ground[] = [];

afterEach(async () => {
  for (const ground of grounds.splice(0)) {
    const left = (await everyPath(ground.root)).filter((path) => path.includes('.workcenter-'));
    expect(left, 'temporary files are gone').toEqual([]);
    expect(await readdir(ground.outside), 'nothing was written outside').toEqual(['secret.txt']);
    expect(await readFile(join(ground.outside, 'secret.txt'), 'utf8')).toBe(SECRET);
    await rm(ground.root, { recursive: true, force: true });
  }
  expect(await openDescriptors(), 'every file was closed').toEqual([]);
});

/** Descriptors of this process that lead into a ground. */
async function openDescriptors(): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.includes('wörk files-'));
}

export async function ground(overrides: Partial<ToolContext> = {}): Promise<Ground> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'wörk files-')));
  const workspace = join(root, 'ws');
  const outside = join(root, 'outside');
  await mkdir(workspace);
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), SECRET);
  const made: Ground = {
    root,
    workspace,
    outside,
    context: { ...contextIn(root, workspace), ...overrides },
    put: (files) => putFiles(workspace, files),
    text: (path) => readFile(join(workspace, path), 'utf8'),
  };
  grounds.push(made);
  return made;
}

function contextIn(root: string, workspace: string): ToolContext {
  return {
    signal: new AbortController().signal,
    mode: 'isolated-write',
    workspacePath: workspace,
    projectPath: workspace,
    runDir: join(root, 'run'),
    confinement: {
      enforcement: bare,
      parentEnvironment: {},
      hidden: [],
      readable: [],
      userHome: root,
      toolPaths: [],
      secrets: [],
    },
    network: 'none',
    env: {},
    attachments: [],
    skillRoots: [],
    putContent: async (bytes) => ({ hash: 'unused', bytes: bytes.length }),
    redact: (text) => text,
    onSpawned: async () => {},
    now: () => 1_700_000_000_000,
  };
}

export async function putFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** Calls a tool as the loop does: the input is parsed first. */
export async function use(name: string, input: object, { context }: Pick<Ground, 'context'>): Promise<ToolOutput> {
  const tool = fileTools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return call(tool, input, context);
}

export function call(tool: AgentTool<never> | AgentTool, input: object, context: ToolContext): Promise<ToolOutput> {
  const { input: schema, run } = tool as AgentTool;
  return run(schema.parse(input), context);
}

/** The stable word that a refusal starts with; `ok` when there is none. */
export const codeOf = (output: ToolOutput) => (output.isError ? output.text.slice(0, output.text.indexOf(':')) : 'ok');

/** Every path below a folder, links as themselves. */
export async function everyPath(root: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await readdir(root)) {
    const path = join(root, name);
    paths.push(path);
    if ((await lstat(path)).isDirectory()) paths.push(...(await everyPath(path)));
  }
  return paths;
}
