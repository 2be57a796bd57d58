/*
 * The parts of a guarded process: `gate` holds the command back until it is recorded, `launch` and `environment` say
 * what is started and what it sees, `guarded-child` watches it to its end, `output-pipes` and `output-pump` carry what
 * it prints, `watchdog` ends what takes too long, `exit-file` outlives us, `tagged-processes`, `process-tree` and
 * `process-identity` find what was left.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { FILTER_FD, GATE_FD, READY_FD, STATUS_FD } from './gate.ts';
import { type ChildPipes, GuardedChild } from './guarded-child.ts';
import type { ExitReport, GuardedProcess, GuardedSpec } from './guarded-process.ts';
import { type Launch, prepareLaunch } from './launch.ts';
import { openOutputPipes } from './output-pipes.ts';
import { currentMachine, identify } from './process-identity.ts';

/**
 * Starts a command so that none of it can outlive its use: behind a gate that opens only when `onSpawned` has
 * recorded it, tagged in its environment, in a PID namespace where the enforcement has one. Resolves once
 * the command runs or has failed to start (`exited` then says `spawn_failed`); never rejects for reasons that
 * lie in the command, the machine or the store.
 *
 * If the engine dies, a command at the gate or in a PID namespace ends by itself. Not so a command without a
 * namespace, and a sandbox that was just being set up (bubblewrap's inner process does not die with its
 * parent yet; it will never run the command): `killTagged` at start and in the sweeper removes those.
 */
export async function spawnGuarded(spec: GuardedSpec): Promise<GuardedProcess> {
  let guarded: GuardedChild;
  let pid: number;
  try {
    const launch = await prepareLaunch(spec, randomUUID());
    const pipes = await startChild(launch, spec.stdin);
    guarded = new GuardedChild(spec, launch, pipes);
    pid = pipes.child.pid ?? 0;
  } catch (error) {
    return notStarted(spec.runTag, messageOf(error));
  }
  const identity = await identify(pid, spec.runTag);
  if (await guarded.standing()) await recordAndOpen(guarded, () => spec.onSpawned(identity));
  return { identity, exited: guarded.exited, abort: (reason) => guarded.end('aborted', reason) };
}

async function recordAndOpen(guarded: GuardedChild, record: () => Promise<void>): Promise<void> {
  try {
    await record();
  } catch (error) {
    guarded.end('spawn_failed', `The process could not be recorded, so it did not run: ${messageOf(error)}`);
    return;
  }
  guarded.open();
}

/** Rejects if the program does not exist or the system has no process or pipe to give. */
async function startChild(launch: Launch, stdin: string | Uint8Array | undefined): Promise<ChildPipes> {
  const output = await openOutputPipes();
  try {
    const child = await startWith(launch, stdin === undefined ? 'ignore' : 'pipe', output.writeFds);
    pipeOf(child, FILTER_FD).end(launch.filter ?? new Uint8Array());
    if (stdin !== undefined) child.stdin?.end(stdin);
    const { stdout, stderr } = output;
    const [gate, ready, status] = [pipeOf(child, GATE_FD), pipeOf(child, READY_FD), pipeOf(child, STATUS_FD)];
    return { child, stdout, stderr, gate, ready, status };
  } catch (error) {
    output.stdout.destroy();
    output.stderr.destroy();
    throw error;
  } finally {
    await output.closeWriters();
  }
}

async function startWith(
  launch: Launch,
  stdin: 'ignore' | 'pipe',
  output: readonly [number, number],
): Promise<ChildProcess> {
  const [file = '', ...args] = launch.argv;
  const child = spawn(file, args, {
    cwd: '/',
    env: { ...launch.env },
    // A session of its own: no terminal to ask a password on, and a process group to signal.
    detached: true,
    stdio: [stdin, ...output, 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  for (const stream of child.stdio) stream?.on('error', () => {}); // A child that ends early breaks its pipes.
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => {}); // A signal that could not be sent; the sweep decides.
  return child;
}

function pipeOf(child: ChildProcess, fd: number): Socket {
  const stream = child.stdio[fd];
  if (stream instanceof Socket) return stream;
  throw new Error(`Descriptor ${fd} of a guarded child is not a pipe.`);
}

async function notStarted(runTag: string, detail: string): Promise<GuardedProcess> {
  const report: ExitReport = { exitCode: null, signal: null, cause: 'spawn_failed', detail, durationMs: 0 };
  const identity = { machine: await currentMachine(), pid: 0, startTime: 0, runTag };
  return { identity, exited: Promise.resolve(report), abort: () => {} };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
