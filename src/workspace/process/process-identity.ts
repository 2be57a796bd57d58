import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { processFacts } from './proc-stat.ts';

/** Names one process for ever: a process id alone is reused. This is the body of a `processes` row. */
export interface ProcessIdentity {
  /** Hash of machine, boot and PID namespace; ids mean nothing outside of it. See `currentMachine`. */
  readonly machine: string;
  /** 0 when the process could not be started. */
  readonly pid: number;
  /** Clock ticks since boot, field 22 of `/proc/<pid>/stat`; 0 where there is no `/proc`. */
  readonly startTime: number;
  /** `<runId>:<epoch>`. */
  readonly runTag: string;
}

let machine: Promise<string> | null = null;

/** This machine's part of a `ProcessIdentity`; 16 hex digits, new after every boot. */
export function currentMachine(): Promise<string> {
  machine ??= describeMachine();
  return machine;
}

async function describeMachine(): Promise<string> {
  const parts = await Promise.all([
    readFile('/etc/machine-id', 'utf8').catch(() => hostname()),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

/** Start time in ticks, or null if no such process runs (a zombie does not run). */
export async function startTimeOf(pid: number): Promise<number | null> {
  const facts = await processFacts(pid);
  return facts === null || facts.ended ? null : Number(facts.started);
}

/** The identity of a process that was just started here. */
export async function identify(pid: number, runTag: string): Promise<ProcessIdentity> {
  return { machine: await currentMachine(), pid, startTime: (await startTimeOf(pid)) ?? 0, runTag };
}

/**
 * Whether exactly this process still runs on this machine. False for a process of another machine or boot:
 * compare `machine` with `currentMachine()` first where the difference matters.
 */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (identity.pid <= 0 || identity.machine !== (await currentMachine())) return false;
  return (await startTimeOf(identity.pid)) === identity.startTime;
}
