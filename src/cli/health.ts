import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { probeSandbox } from '../workspace/sandbox/probe-sandbox.ts';
import type { App } from './app.ts';
import { bytes } from './render/when.ts';
import { isEmbedded, isFresh } from './servers.ts';

/** One line of `doctor`: what was looked at, how it is, and what to do where it is not well. */
export interface Health {
  readonly grade: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly fact: string;
  readonly next?: string;
}

const ok = (what: string, fact: string): Health => ({ grade: 'ok', what, fact });
const warn = (what: string, fact: string, next: string): Health => ({ grade: 'warn', what, fact, next });
const fail = (what: string, fact: string, next: string): Health => ({ grade: 'fail', what, fact, next });

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

/** Folds every stream again and compares; with `repair` it also mends. */
export async function storeHealth(app: App, repair: boolean): Promise<readonly Health[]> {
  if (repair) {
    const { repaired, left } = await app.store.repair();
    const lines = repaired.map(({ what }) => warn('store', `mended: ${what}`, 'Nothing more to do.'));
    const rest = left.map(({ what }) => fail('store', what, 'Only a backup helps: workcenter backup keeps one.'));
    return lines.length + rest.length === 0 ? [ok('store', 'nothing had to be mended')] : [...lines, ...rest];
  }
  const report = await app.store.doctor();
  if (report.healthy) return [ok('store', `${report.items} items, ${report.events} events, all tables agree`)];
  return report.findings.map(({ what, itemId }) =>
    fail('store', itemId === undefined ? what : `${itemId}: ${what}`, 'workcenter doctor --repair'),
  );
}

export async function leaseHealth(app: App): Promise<Health> {
  const live = await app.store.liveRuns();
  const expired = await app.store.expiredRuns({ limit: 100 });
  if (expired.length === 0) return ok('leases', `${live.length} live Runs, none past its lease`);
  return warn(
    'leases',
    `${expired.length} of ${live.length} live Runs past their lease`,
    'workcenter up takes them over.',
  );
}

export async function workerHealth(app: App): Promise<readonly Health[]> {
  const now = app.shell.now();
  const workers = await app.store.workers();
  const fresh = workers.filter((worker) => isFresh(worker, now));
  const lines = fresh.map((worker) => {
    const kind = isEmbedded(worker) ? 'run' : 'server';
    return ok('worker', `${kind}, process ${worker.pid}, version ${worker.version}`);
  });
  return lines.length > 0 ? lines : [ok('worker', 'no other engine is at work')];
}
