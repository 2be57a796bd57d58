import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { processFacts, processIds } from '../process/proc-stat.ts';

/** What a fast-forward in a checkout was asked to do; written before anything is changed, never rewritten. */
const JobSchema = z.object({
  schema: z.literal(1),
  /** Content of the lock we take; unique to this landing. */
  token: z.string(),
  userGitDir: z.string(),
  worktree: z.string(),
  worktreeGitDir: z.string(),
  branch: z.string(),
  expected: z.string(),
  commit: z.string(),
});

export type LandingJob = z.infer<typeof JobSchema>;

const PHASES = ['intended', 'claimed', 'locked', 'files', 'written', 'ref', 'index', 'unlocked'] as const;
export type LandingPhase = (typeof PHASES)[number];

const OUTCOMES = ['landed', 'moved', 'refused', 'locked', 'failed'] as const;
export type LandingOutcome = (typeof OUTCOMES)[number];

export type LandingStatus =
  | { readonly kind: 'none' }
  /** A process of the landing lives; `pid` is its process group. */
  | { readonly kind: 'running'; readonly phase: LandingPhase; readonly pid: number }
  /** Nobody is at work and there is no result: complete it. */
  | { readonly kind: 'interrupted'; readonly phase: LandingPhase }
  | { readonly kind: 'settled'; readonly outcome: LandingOutcome; readonly log: string };

/** Reads where a landing stands, from its state directory alone; safe at any time and from any process. */
export async function landingStatus(stateDir: string): Promise<LandingStatus> {
  if ((await readText(stateDir, 'job.json')) === null) return { kind: 'none' };
  const outcome = await readWord(stateDir, 'result', OUTCOMES);
  if (outcome !== null) return { kind: 'settled', outcome, log: (await readText(stateDir, 'log')) ?? '' };
  const phase = (await readWord(stateDir, 'phase', PHASES)) ?? 'intended';
  const owner = await readText(stateDir, 'owner');
  if (owner === null) return { kind: 'interrupted', phase };
  const [pid = '', ...started] = owner.trim().split(' ');
  const alive = await groupAlive(Number(pid), started.join(' '));
  return alive ? { kind: 'running', phase, pid: Number(pid) } : { kind: 'interrupted', phase };
}

/** The job of a state directory, or null when it holds none. Throws on a file that is not ours. */
export async function readJob(stateDir: string): Promise<LandingJob | null> {
  const text = await readText(stateDir, 'job.json');
  return text === null ? null : JobSchema.parse(JSON.parse(text));
}

/** Makes the state directory; the job is on disk, flushed, when this returns. */
export async function writeJob(stateDir: string, job: LandingJob): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  await writeWhole(stateDir, 'job.json', `${JSON.stringify(job, null, 2)}\n`);
}

/** Writes one file of the state directory so that a reader sees all of it or what was there before. */
export async function writeWhole(stateDir: string, name: string, text: string): Promise<void> {
  const temporary = join(stateDir, `${name}.new`);
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(stateDir, name));
}

/** Forgets an earlier attempt's owner and result. Only for a caller that knows that nobody is at work. */
export async function clearAttempt(stateDir: string): Promise<void> {
  for (const name of ['owner', 'result', 'phase', 'paused']) await rm(join(stateDir, name), { force: true });
}

/**
 * The script leads a process group of its own. A git that outlives the script is still of that group, and still
 * writing; a process that merely inherited the number has another start time; a zombie writes nothing.
 */
async function groupAlive(leader: number, started: string): Promise<boolean> {
  const pids = await processIds();
  if (pids === null) return signalReaches(leader);
  const living = (await Promise.all(pids.map(processFacts))).filter((facts) => facts !== null && !facts.ended);
  const impostor = living.some((facts) => facts?.pid === leader && facts.started !== started);
  return !impostor && living.some((facts) => facts?.group === leader);
}

function signalReaches(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function readWord<W extends string>(stateDir: string, name: string, words: readonly W[]): Promise<W | null> {
  const text = (await readText(stateDir, name))?.trim();
  return words.find((word) => word === text) ?? null;
}

async function readText(stateDir: string, name: string): Promise<string | null> {
  return readFile(join(stateDir, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
