import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Store } from '../../store/store.ts';
import { bytes } from '../../text/bytes.ts';
import { probeSandbox } from '../../workspace/sandbox/probe-sandbox.ts';

/** One line of an examination: what was looked at, how it is, and what to do where it is not well. */
export interface Health {
  readonly grade: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly fact: string;
  readonly next?: string;
}

export const ok = (what: string, fact: string): Health => ({ grade: 'ok', what, fact });
export const warn = (what: string, fact: string, next: string): Health => ({ grade: 'warn', what, fact, next });
export const fail = (what: string, fact: string, next: string): Health => ({ grade: 'fail', what, fact, next });

const NODE = [20, 19] as const;
/** `git merge-tree --write-tree` came with it. */
const GIT = [2, 38] as const;
const LOW_BYTES = 1_000_000_000;

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [have = 0, also = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  return have > major || (have === major && also >= minor);
}

export function nodeHealth(version: string): Health {
  if (atLeast(version, NODE)) return ok('node', version);
  return fail('node', version, `Install Node ${NODE.join('.')} or newer.`);
}

export async function gitHealth(env: Readonly<Record<string, string>>): Promise<Health> {
  const found = await promisify(execFile)('git', ['--version'], { env: { ...env } }).catch(() => undefined);
  const version = found?.stdout.trim();
  if (version === undefined) return fail('git', 'not found', 'Install git; work is isolated and landed with it.');
  if (atLeast(version, GIT)) return ok('git', version.replace(/^git version /, ''));
  return fail('git', version, `Install git ${GIT.join('.')} or newer.`);
}

/** Tried for real: a sandbox is started and must fail to do what it has to prevent. */
export async function sandboxHealth(disabled: boolean): Promise<Health> {
  const found = await probeSandbox({ disabled });
  if (found.sandbox === 'bubblewrap' && found.reason === undefined) {
    return ok('sandbox', 'bubblewrap: files, network and processes are enforced');
  }
  const next = disabled
    ? 'workcenter settings set sandbox on'
    : 'Install bubblewrap and allow user namespaces. Until then every Run and receipt says what was not enforced.';
  return warn('sandbox', found.reason ?? 'not enforced', next);
}

export async function diskHealth(root: string, minFreeBytes: number): Promise<Health> {
  const info = await statfs(root).catch(() => undefined);
  if (!info) return fail('disk', `${root} cannot be read`, 'Check WORKCENTER_HOME.');
  const free = info.bavail * info.bsize;
  const fact = `${bytes(free)} free at ${root}`;
  if (free < minFreeBytes) return fail('disk', fact, `No Run starts below ${bytes(minFreeBytes)}. workcenter gc`);
  return free < LOW_BYTES ? warn('disk', fact, 'workcenter gc shows what could go.') : ok('disk', fact);
}

export async function leaseHealth(store: Store): Promise<Health> {
  const live = await store.liveRuns();
  const expired = await store.expiredRuns({ limit: 100 });
  if (expired.length === 0) return ok('leases', `${live.length} live Runs, none past its lease`);
  return warn(
    'leases',
    `${expired.length} of ${live.length} live Runs past their lease`,
    'workcenter up takes them over.',
  );
}
