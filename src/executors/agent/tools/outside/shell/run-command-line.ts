import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { secretValues } from '../../../../../text/redact.ts';
import { childEnvironment, privateDirectories } from '../../../../../workspace/process/environment.ts';
import type { ExitReport } from '../../../../../workspace/process/guarded-process.ts';
import { spawnGuarded } from '../../../../../workspace/process/spawn-guarded.ts';
import { privatePlace, sandboxFor } from '../../../../confinement.ts';
import { openRunLog, type RunLog, storeLogFile } from '../../../../run-log.ts';
import type { ToolContext } from '../../../tool.ts';
import { headAndTail } from './head-and-tail.ts';
import type { ShellToolOptions } from './shell-options.ts';

export interface CommandLine {
  readonly command: string;
  /** Absolute, real, in the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly context: ToolContext;
  readonly options: ShellToolOptions;
}

export interface Ended {
  readonly exit: ExitReport;
  /** Redacted; of a long one both ends. */
  readonly text: string;
  /** Hash of the whole of a long one, in the content store. */
  readonly whole?: string;
}

/** Runs one shell line to its end, its whole process tree with it. Rejects only when our own side failed. */
export async function runCommandLine(line: CommandLine): Promise<Ended> {
  const { context, options } = line;
  const own = join(context.runDir, 'shell');
  const place = await privatePlace(own);
  // Reading Actions run several at a time.
  const path = join(own, `${randomUUID()}.log`);
  const log = await openRunLog({
    path,
    secrets: [...context.confinement.secrets, ...secretValues(context.env)],
    io: { onOutput: (_, text) => options.onOutput?.(text), putContent: (bytes) => context.putContent(bytes) },
  });
  try {
    const exit = await runGuarded(line, place, log);
    return { exit, ...(await textOf(path, context)) };
  } finally {
    await rm(path, { force: true });
  }
}

async function runGuarded(line: CommandLine, place: { home: string; temp: string }, log: RunLog): Promise<ExitReport> {
  const { context, options } = line;
  try {
    const guarded = await (options.spawn ?? spawnGuarded)({
      argv: ['/bin/sh', '-c', line.command],
      cwd: line.cwd,
      env: environmentOf(context, place),
      runTag: options.runTag,
      timeoutMs: line.timeoutMs,
      silenceMs: line.silenceMs,
      signal: context.signal,
      sandbox: sandboxFor(context.confinement, {
        ...place,
        workspace: context.workspacePath,
        mode: context.mode === 'read' ? 'read' : 'write',
        network: context.network,
        readable: options.readable ?? [],
        writable: options.writable ?? [],
      }),
      onOutput: (chunk) => log.take(chunk),
      onSpawned: (identity) => context.onSpawned(identity),
    });
    return await guarded.exited;
  } finally {
    await log.discard();
  }
}

function environmentOf(context: ToolContext, place: { home: string; temp: string }): Record<string, string> {
  return childEnvironment({
    parent: context.confinement.parentEnvironment,
    declared: context.env,
    extra: {
      ...privateDirectories(place),
      WORKCENTER_WORKSPACE: context.workspacePath,
      WORKCENTER_PROJECT: context.projectPath,
    },
  });
}

async function textOf(path: string, context: ToolContext): Promise<Omit<Ended, 'exit'>> {
  const cut = await headAndTail(path);
  if (cut.omittedBytes === 0) return { text: cut.head };
  const whole = await storeLogFile(path, context);
  const gap = `[… ${cut.omittedBytes} of ${whole.bytes} bytes left out; the whole: read_output ref ${whole.hash} …]`;
  return { text: `${cut.head}\n${gap}\n${cut.tail}`, whole: whole.hash };
}
