/**
 * Dying on purpose: counts every effect of this process in one sequence and ends it with SIGKILL before or after a
 * chosen one. Effects are commits and side writes of the store, changes of files, starts of processes (git and
 * commands) and signals. Everything is counted where the runtime offers it, so the engine needs no seam.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Store } from '../../src/store/store.ts';
import { type Effect, watchFiles } from './watch-files.ts';

export type Phase = 'before' | 'after';

export interface Doom {
  /** From 1; 0 never dies, and only counts. */
  readonly at: number;
  readonly phase: Phase;
}

export interface Death {
  count(): number;
  /** Everything that was counted, for a test that wants to know what kinds there are. */
  seen(): ReadonlyMap<string, number>;
  wrap(store: Store): Store;
}

/** Makes this process mortal. `told` is written synchronously before it dies. */
export function becomeMortal(doom: Doom, tell: (what: string) => void): Death {
  let count = 0;
  const seen = new Map<string, number>();
  const die = (what: string): void => {
    tell(`${doom.phase} ${count} ${what}`);
    realKill(process.pid, 'SIGKILL');
  };
  /** Answers what to call when the effect has happened. */
  const effect = (what: string): (() => void) => {
    count += 1;
    seen.set(what, (seen.get(what) ?? 0) + 1);
    if (count !== doom.at) return () => undefined;
    if (doom.phase === 'before') die(what);
    return () => die(what);
  };
  const realKill = process.kill.bind(process);
  watchFiles(FILE_CHANGES, effect);
  patchSpawn(effect);
  process.kill = (pid, signal) => {
    if (signal === 0) return realKill(pid, signal);
    const done = effect('kill');
    const answer = realKill(pid, signal);
    done();
    return answer;
  };
  return { count: () => count, seen: () => seen, wrap: (store) => mortalStore(store, effect) };
}

const FILE_CHANGES = ['mkdir', 'writeFile', 'rename', 'rm', 'cp', 'mkdtemp', 'chmod', 'symlink', 'unlink'] as const;

function patchSpawn(effect: Effect): void {
  const real = childProcess.spawn;
  const counted = (...args: unknown[]): childProcess.ChildProcess => {
    const words = Array.isArray(args[1]) ? args[1].map(String) : [];
    const started = effect(`spawn ${args[0]}`);
    const child: childProcess.ChildProcess = Reflect.apply(real, childProcess, args);
    started();
    const ended = effect(`end of ${args[0]} ${verbOf(words)}`);
    // First among the listeners: the engine must not have seen the end yet.
    child.prependOnceListener('exit', ended);
    return child;
  };
  Reflect.set(childProcess, 'spawn', counted);
  syncBuiltinESMExports();
}

/** The git command in an argument list full of settings. */
const verbOf = (words: readonly string[]): string =>
  words.find((word, index) => /^[a-z]+(-[a-z]+)*$/.test(word) && words[index - 1] !== '-c') ?? '';

const WRITES = [
  'execute',
  'executeWith',
  'acquireLease',
  'releaseLease',
  'stopWorker',
  'recordProcess',
  'forgetProcess',
  'putContent',
] as const;

/** Dies around commits. Renewals and heartbeats come and go with time, so they are not counted. */
function mortalStore(store: Store, effect: Effect): Store {
  const overrides = WRITES.map((name) => {
    const real: (...args: never[]) => Promise<unknown> = store[name];
    const around = async (...args: never[]): Promise<unknown> => {
      const done = effect(labelOf(name, args[0]));
      const answer = await Reflect.apply(real, store, args);
      done();
      return answer;
    };
    return [name, around] as const;
  });
  return { ...store, ...Object.fromEntries(overrides) };
}

function labelOf(name: string, first: unknown): string {
  if (!name.startsWith('execute') || typeof first !== 'object' || first === null || !('body' in first)) return name;
  const { body } = first;
  return typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : name;
}

/** Writes one line to standard output at once, whatever happens next. */
export const printNow = (line: string): void => void fs.writeSync(1, `${line}\n`);
