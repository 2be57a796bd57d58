import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ExitReport, GuardedSpec } from './guarded-process.ts';
import type { Launch } from './launch.ts';
import { type OutputChunk, type OutputPump, startOutputPump } from './output-pump.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import { killChild, type ProcessTree, requestEnd, sweepTree } from './process-tree.ts';
import { systemTimers, type Timers } from './timers.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

export interface ChildPipes {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly gate: Writable;
  readonly ready: Readable;
  readonly status: Readable;
}

type Cause = ExitReport['cause'];

const STARTUP_GUARD_MS = 30_000;
const STARTUP_TEXT_LIMIT = 4_096;
const DEFAULT_GRACE_MS = 2_000;

/**
 * One started child.
 *
 * | Phase | Left by | What is true |
 * | --- | --- | --- |
 * | starting | `standing()` true, or the end of the child | stderr is the sandbox's own complaint |
 * | standing | `open()`, `end()`, or the death of the engine (end of the gate's stream) | no byte of the command ran |
 * | running | its exit | output flows, the watchdog counts |
 * | ending | its exit, forced by SIGKILL after the grace | `ending` holds the first cause; later ones are ignored |
 * | over | – | `exited` has resolved: no descendant, no pipe, no timer is left |
 */
export class GuardedChild {
  readonly exited: Promise<ExitReport>;
  readonly #spec: GuardedSpec;
  readonly #launch: Launch;
  readonly #pipes: ChildPipes;
  readonly #timers: Timers;
  readonly #nowMs: () => number;
  readonly #pump: OutputPump;
  readonly #childEnd: Promise<{ exitCode: number | null; signal: string | null }>;
  readonly #onAbortSignal = () => this.end('aborted', abortReason(this.#spec.signal));
  #startupGuard: unknown;
  #graceTimer: unknown = null;
  #watchdog: Watchdog | null = null;
  #init: ProcessIdentity | null = null;
  #openedAtMs: number | null = null;
  #startupText = '';
  #over = false;
  #ending: { cause: Cause; detail: string } | null = null;

  constructor(spec: GuardedSpec, launch: Launch, pipes: ChildPipes) {
    this.#spec = spec;
    this.#launch = launch;
    this.#pipes = pipes;
    this.#timers = spec.timers ?? systemTimers;
    this.#nowMs = spec.nowMs ?? (() => performance.now());
    this.#childEnd = new Promise((resolve) => {
      const { child } = pipes;
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      // It may have ended before we were here to listen.
      if (child.exitCode !== null || child.signalCode !== null) {
        resolve({ exitCode: child.exitCode, signal: child.signalCode });
      }
    });
    this.#pump = startOutputPump(pipes, {
      take: (chunk) => this.#take(chunk),
      onFailed: (error) => this.end('aborted', `Its output could not be taken: ${String(error)}`),
    });
    this.#startupGuard = this.#timers.setTimeout(
      () => this.end('spawn_failed', `The command did not start within ${STARTUP_GUARD_MS} ms.`),
      STARTUP_GUARD_MS,
    );
    this.exited = this.#finish();
    spec.signal?.addEventListener('abort', this.#onAbortSignal, { once: true });
    if (spec.signal?.aborted === true) this.#onAbortSignal();
  }

  /** True once the child waits at the gate; false if it ended before. */
  async standing(): Promise<boolean> {
    const ended = this.#childEnd.then(() => false);
    const ready = await Promise.race([firstMatch(this.#pipes.ready, /ready/).then((match) => match !== null), ended]);
    if (!ready) return false;
    if (this.#launch.ownNamespace) {
      const pid = await Promise.race([
        firstMatch(this.#pipes.status, /"child-pid":\s*(\d+)/),
        this.#childEnd.then(() => null),
      ]);
      if (pid !== null) this.#init = await identify(Number(pid[1]), this.#spec.runTag);
    }
    return !this.#over;
  }

  /** Lets the command run. */
  open(): void {
    if (this.#over || this.#ending !== null) return;
    this.#timers.clearTimeout(this.#startupGuard);
    this.#openedAtMs = this.#nowMs();
    this.#watchdog = startWatchdog({
      timeoutMs: this.#spec.timeoutMs,
      silenceMs: this.#spec.silenceMs,
      timers: this.#timers,
      onExpired: (cause, detail) => this.end(cause, detail),
    });
    this.#pipes.gate.end('open\n');
  }

  /** Ends the tree; the first cause is the one reported. A child still at the gate never runs. */
  end(cause: Cause, detail: string): void {
    if (this.#over || this.#ending !== null) return;
    this.#ending = { cause, detail };
    this.#watchdog?.stop();
    if (this.#openedAtMs === null) {
      killChild(this.#pipes.child);
      return;
    }
    const graceMs = this.#spec.graceMs ?? DEFAULT_GRACE_MS;
    this.#graceTimer = this.#timers.setTimeout(() => killChild(this.#pipes.child), graceMs);
    requestEnd(this.#tree()).catch(() => killChild(this.#pipes.child));
  }

  async #take(chunk: OutputChunk): Promise<void> {
    if (this.#openedAtMs === null) {
      const room = STARTUP_TEXT_LIMIT - this.#startupText.length;
      this.#startupText += Buffer.from(chunk.bytes).toString('utf8').slice(0, room);
      return;
    }
    this.#watchdog?.heard();
    await this.#spec.onOutput(chunk);
    this.#watchdog?.listen();
  }

  async #finish(): Promise<ExitReport> {
    const end = await this.#childEnd;
    const endedAtMs = this.#nowMs();
    this.#over = true;
    this.#release();
    const complaint = await sweepTree(this.#tree());
    await this.#pump.drain();
    for (const stream of this.#pipes.child.stdio) stream?.destroy();
    const { cause, detail } = this.#verdict();
    const sentences = [detail, complaint].filter((text) => text !== null && text !== '');
    return {
      ...(this.#openedAtMs === null ? { exitCode: null, signal: null } : end),
      cause,
      ...(sentences.length === 0 ? {} : { detail: sentences.join(' ') }),
      durationMs: this.#openedAtMs === null ? 0 : endedAtMs - this.#openedAtMs,
    };
  }

  #verdict(): { cause: Cause; detail: string } {
    if (this.#ending !== null) return this.#ending;
    if (this.#openedAtMs !== null) return { cause: 'exited', detail: '' };
    return { cause: 'spawn_failed', detail: this.#startupText.trim() || 'It ended before the command could run.' };
  }

  #release(): void {
    this.#watchdog?.stop();
    this.#timers.clearTimeout(this.#startupGuard);
    if (this.#graceTimer !== null) this.#timers.clearTimeout(this.#graceTimer);
    this.#spec.signal?.removeEventListener('abort', this.#onAbortSignal);
  }

  #tree(): ProcessTree {
    return { child: this.#pipes.child, processId: this.#launch.processId, init: this.#init };
  }
}

/** The first match in a short stream, or null if it ends without one. The stream keeps flowing afterwards. */
function firstMatch(stream: Readable, pattern: RegExp): Promise<RegExpExecArray | null> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-STARTUP_TEXT_LIMIT);
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    });
    stream.once('close', () => resolve(null));
  });
}

function abortReason(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason.message : String(reason ?? 'aborted');
}
