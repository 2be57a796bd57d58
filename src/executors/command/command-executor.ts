import { mkdir, writeFile } from 'node:fs/promises';
import { NO_USAGE, type Usage } from '../../core/model/outcome.ts';
import { secretValues } from '../../text/redact.ts';
import { childEnvironment, privateDirectories } from '../../workspace/process/environment.ts';
import type { ExitReport, GuardedSpec } from '../../workspace/process/guarded-process.ts';
import { spawnGuarded } from '../../workspace/process/spawn-guarded.ts';
import { privatePlace, sandboxFor } from '../confinement.ts';
import { type Executor, type ExecutorEnd, type Job, type RunIo, type StoredLog, startJob } from '../executor.ts';
import { openRunLog, type RunLog, storeLogFile } from '../run-log.ts';
import { commandBrief } from './brief.ts';
import { concludeCommand } from './conclude.ts';
import { linkIntoHome } from './home-links.ts';
import { readOutcomeFile } from './outcome-file.ts';
import { runFiles } from './run-files.ts';

export interface CommandExecutorOptions {
  readonly spawn?: typeof spawnGuarded;
}

/**
 * Carries out Actions whose executor is a command: told by a brief (file and standard input), confined by the
 * workspace mode, judged by its outcome file or its exit code (D22).
 */
export function commandExecutor(options: CommandExecutorOptions = {}): Executor {
  const spawn = options.spawn ?? spawnGuarded;
  return {
    start: (job, io) =>
      startJob(io, (signal) => {
        const { adopt } = job;
        return adopt === undefined ? runCommand(job, io, signal, spawn) : finishFromExit({ job, io, ...adopt });
      }),
  };
}

/**
 * The end of a command that had ended before anyone settled it, from its files alone: the same as if it had been
 * watched to its end, but for its duration, which nobody measured.
 */
async function finishFromExit(request: {
  readonly job: Job;
  readonly io: Pick<RunIo, 'putContent'>;
  /** Directory of the Run that started the command. */
  readonly runDir: string;
  readonly exitCode: number;
}): Promise<ExecutorEnd> {
  const { job, io, runDir, exitCode } = request;
  const log = await storeLogFile(runFiles(runDir).log, io);
  const exit: ExitReport = {
    exitCode,
    signal: null,
    cause: 'exited',
    detail: 'It had ended before its engine did; its result was taken over.',
    durationMs: 0,
  };
  return concluded(job, runDir, exit, log);
}

async function runCommand(job: Job, io: RunIo, signal: AbortSignal, spawn: typeof spawnGuarded): Promise<ExecutorEnd> {
  const files = runFiles(job.runDir);
  await mkdir(files.report, { recursive: true });
  const brief = commandBrief(job);
  await writeFile(files.brief, brief);
  const place = await privatePlace(job.runDir);
  const { readable, writable } = job.spec.sandbox;
  await linkIntoHome(place.home, job.confinement.userHome, [...readable, ...writable]);
  const log = await openRunLog({ path: files.log, secrets: secretsOf(job), io });
  let exit: ExitReport;
  try {
    const guarded = await spawn({
      ...guardedSpec(job, place, brief),
      signal,
      onOutput: (chunk) => log.take(chunk),
      onSpawned: (identity) => io.onSpawned(identity),
    });
    exit = await guarded.exited;
  } catch (error) {
    await log.discard();
    throw error;
  }
  return concluded(job, job.runDir, exit, await endLog(log, exit));
}

async function endLog(log: RunLog, exit: ExitReport): Promise<StoredLog> {
  if (exit.cause !== 'exited') await log.note(`[${exit.cause}] ${exit.detail ?? ''}`.trimEnd());
  return log.store();
}

async function concluded(job: Job, runDir: string, exit: ExitReport, log: StoredLog): Promise<ExecutorEnd> {
  const read = await readOutcomeFile(runFiles(runDir).outcome, {
    criterionIds: job.contract.criteria.map((criterion) => criterion.id),
    for: job.spec.for,
    isReview: job.spec.type === 'review',
    secrets: secretsOf(job),
  });
  const outcome = concludeCommand(job, { exit, read, tail: log.tail });
  // A command reports nothing itself (D27).
  const usage: Usage = { ...NO_USAGE, wallMs: Math.round(exit.durationMs), metered: false };
  return { outcome, exit, log, usage, receipts: [] };
}

function guardedSpec(
  job: Job,
  place: { home: string; temp: string },
  brief: string,
): Omit<GuardedSpec, 'onOutput' | 'onSpawned'> {
  const { spec } = job;
  const files = runFiles(job.runDir);
  const { readable, writable, network } = spec.sandbox;
  return {
    argv: argvOf(job),
    cwd: job.projectPath,
    env: environmentOf(job, place),
    runTag: `${job.runId}:${job.epoch}`,
    exitFile: files.exit,
    stdin: brief,
    timeoutMs: job.timeLimitSec * 1_000,
    ...(spec.silenceSec > 0 ? { silenceMs: spec.silenceSec * 1_000 } : {}),
    sandbox: sandboxFor(job.confinement, {
      ...place,
      workspace: job.workspacePath,
      mode: spec.workspace === 'read' ? 'read' : 'write',
      network,
      readable: [...readable, files.brief],
      writable: [...writable, files.report],
    }),
  };
}

function argvOf(job: Job): readonly string[] {
  const { executor } = job.spec;
  if (executor.kind !== 'command')
    throw new Error(`Action ${job.actionId} is for the executor ${executor.kind}, not for a command.`);
  return typeof executor.run === 'string' ? ['/bin/sh', '-c', executor.run] : executor.run;
}

function environmentOf(job: Job, place: { home: string; temp: string }): Record<string, string> {
  const files = runFiles(job.runDir);
  return childEnvironment({
    parent: job.confinement.parentEnvironment,
    declared: job.spec.env,
    extra: {
      ...privateDirectories(place),
      WORKCENTER_BRIEF: files.brief,
      WORKCENTER_OUTCOME: files.outcome,
      WORKCENTER_ITEM: job.itemId,
      WORKCENTER_ACTION: job.actionId,
      WORKCENTER_ATTEMPT: String(job.attempt),
      WORKCENTER_WORKSPACE: job.workspacePath,
      WORKCENTER_PROJECT: job.projectPath,
    },
  });
}

function secretsOf(job: Job): string[] {
  return [...job.confinement.secrets, ...secretValues(job.spec.env)];
}
