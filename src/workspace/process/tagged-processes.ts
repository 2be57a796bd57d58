import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { processIds } from './proc-stat.ts';
import { currentMachine, isAlive, type ProcessIdentity, startTimeOf } from './process-identity.ts';

/** `<runId>:<epoch>`, in the environment of everything a Run starts. */
export const RUN_VARIABLE = 'WORKCENTER_RUN';
/** One per `spawnGuarded`: a Run may have several commands at once, and each cleans up only its own. */
export const PROCESS_VARIABLE = 'WORKCENTER_PROCESS';

/** Which processes: of one Run (any epoch), of several, or of one `spawnGuarded` call. */
export type TagMatch =
  | { readonly runId: string }
  | { readonly runIds: ReadonlySet<string> }
  | { readonly processId: string };

export interface KillReport {
  readonly killed: readonly ProcessIdentity[];
  /** Still there after every round: stuck in the kernel, or not ours to kill. */
  readonly remaining: readonly ProcessIdentity[];
}

const READ_AT_ONCE = 32;
const MAX_ROUNDS = 100;
const ROUND_PAUSE_MS = 20;

/**
 * Living processes on this machine that carry a matching tag, never the caller. Reads `/proc/<pid>/environ`,
 * which a process keeps through double forks and new sessions, and loses only by starting a program with
 * another environment. Empty where there is no `/proc`.
 */
export async function findTagged(match: TagMatch): Promise<ProcessIdentity[]> {
  const pids = (await processIds()) ?? [];
  const found: ProcessIdentity[] = [];
  for (let at = 0; at < pids.length; at += READ_AT_ONCE) {
    const batch = pids.slice(at, at + READ_AT_ONCE).map((pid) => examine(pid, match));
    found.push(...(await Promise.all(batch)).filter((identity) => identity !== null));
  }
  return found;
}

/**
 * Kills what `findTagged` finds, again and again until two scans in a row find nothing: one scan can miss a
 * process that is forked behind it.
 */
export async function killTagged(match: TagMatch): Promise<KillReport> {
  const killed = new Map<string, ProcessIdentity>();
  let emptyScans = 0;
  for (let round = 0; round < MAX_ROUNDS && emptyScans < 2; round += 1) {
    const found = await findTagged(match);
    emptyScans = found.length === 0 ? emptyScans + 1 : 0;
    for (const identity of found) {
      if (await signalProcess(identity, 'SIGKILL')) killed.set(`${identity.pid}/${identity.startTime}`, identity);
    }
    if (found.length > 0) await pause(ROUND_PAUSE_MS);
  }
  const remaining = emptyScans < 2 ? await findTagged(match) : [];
  return { killed: [...killed.values()], remaining };
}

/** Signals a process after making sure that its id was not reused; false if it is gone or not ours. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isAlive(identity))) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

async function examine(pid: number, match: TagMatch): Promise<ProcessIdentity | null> {
  if (pid === process.pid || (await matchingTag(pid, match)) === null) return null;
  const startTime = await startTimeOf(pid);
  // Asked again: had the id been reused in between, the start time would be a stranger's.
  const runTag = startTime === null ? null : await matchingTag(pid, match);
  if (startTime === null || runTag === null) return null;
  return { machine: await currentMachine(), pid, startTime, runTag };
}

async function matchingTag(pid: number, match: TagMatch): Promise<string | null> {
  const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const runTag = tagOf(environ, RUN_VARIABLE);
  return runTag !== null && matches(match, runTag, environ) ? runTag : null;
}

function matches(match: TagMatch, runTag: string, environ: string): boolean {
  if ('processId' in match) return tagOf(environ, PROCESS_VARIABLE) === match.processId;
  const runId = runTag.slice(0, Math.max(runTag.lastIndexOf(':'), 0));
  return 'runId' in match ? runId === match.runId : match.runIds.has(runId);
}

function tagOf(environ: string, name: string): string | null {
  if (!environ.includes(name)) return null;
  const entry = environ.split('\0').find((line) => line.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}
