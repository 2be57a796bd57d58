import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { currentMachine, isAlive, startTimeOf } from '../workspace/process/process-identity.ts';

/**
 * One engine process. The owner is fresh and random per start, never a host name (architecture, "Leases"); the rest
 * lets another process on the same machine prove that this one is gone.
 */
export interface Worker {
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  readonly startTime: string;
  /** `<host>/<boot>`: a different boot of the same host proves death as well. */
  readonly bootId: string;
  readonly version: string;
}

async function bootId(): Promise<string> {
  const host = await readFile('/etc/machine-id', 'utf8').catch(() => hostname());
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown');
  return `${createHash('sha256').update(host.trim()).digest('hex').slice(0, 12)}/${boot.trim()}`;
}

export async function thisWorker(pid: number, version: string): Promise<Worker> {
  return {
    owner: randomUUID(),
    machine: await currentMachine(),
    pid,
    startTime: String((await startTimeOf(pid)) ?? 0),
    bootId: await bootId(),
    version,
  };
}

export type Standing = 'alive' | 'died' | 'stopped' | 'rebooted' | 'unknown';

/** What can be proven about another worker from here; `unknown` where only its lease can tell. */
export async function standingOf(
  worker: Worker & { readonly stoppedAt?: number | null },
  self: Worker,
): Promise<Standing> {
  if (worker.stoppedAt !== undefined && worker.stoppedAt !== null) return 'stopped';
  const [host, boot] = worker.bootId.split('/');
  const [myHost, myBoot] = self.bootId.split('/');
  if (host === myHost && boot !== myBoot && boot !== 'unknown' && myBoot !== 'unknown') return 'rebooted';
  if (worker.machine !== self.machine) return 'unknown';
  const identity = { machine: worker.machine, pid: worker.pid, startTime: Number(worker.startTime), runTag: '' };
  return (await isAlive(identity)) ? 'alive' : 'died';
}
