import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessIdentity } from './process-identity.ts';
import { isAlive } from './process-identity.ts';
import { findTagged, killTagged, signalProcess } from './tagged-processes.ts';

/** A child and everything it started, however far it went. */
export interface ProcessTree {
  readonly child: ChildProcess;
  readonly processId: string;
  /** First process of its PID namespace, whose end is the end of all in it; null without a namespace. */
  readonly init: ProcessIdentity | null;
}

const GONE_GUARD_MS = 10_000;
const GONE_PAUSE_MS = 2;

/** Asks every process of the tree to end; never bubblewrap itself, which would take the rest down at once. */
export async function requestEnd(tree: ProcessTree): Promise<void> {
  const spared = new Set(tree.init === null ? [] : [tree.child.pid, tree.init.pid]);
  const found = await findTagged({ processId: tree.processId });
  await Promise.all(found.filter(({ pid }) => !spared.has(pid)).map((each) => signalProcess(each, 'SIGTERM')));
}

/** Kills the child, and with it its PID namespace or process group. Stragglers are left to `sweepTree`. */
export function killChild(child: ChildProcess): void {
  child.kill('SIGKILL');
  killGroup(child.pid);
}

/**
 * Returns when no process of the tree is left; the child itself has already ended. Resolves to a complaint
 * if some could not be removed.
 */
export async function sweepTree(tree: ProcessTree): Promise<string | null> {
  if (tree.init !== null) return awaitGone(tree.init);
  // At once, while nobody can have been given the process id again: members that dropped their tag.
  killGroup(tree.child.pid);
  const { remaining } = await killTagged({ processId: tree.processId });
  if (remaining.length === 0) return null;
  return `${remaining.length} process(es) could not be killed: ${remaining.map(({ pid }) => pid).join(', ')}.`;
}

/** The kernel lets the init of a namespace end only after everything else in it has. */
async function awaitGone(init: ProcessIdentity): Promise<string | null> {
  const patience = performance.now() + GONE_GUARD_MS;
  while (await isAlive(init)) {
    if (performance.now() > patience) return `The sandbox (process ${init.pid}) did not end.`;
    await pause(GONE_PAUSE_MS);
  }
  return null;
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group is already empty.
  }
}
