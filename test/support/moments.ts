/**
 * Dying at a moment that has a name: before or after the n-th commit of a command, request to a model, file change or
 * start of a process. Names stay what they are when an engine takes one step more, numbers of `effects.ts` do not.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { Store } from '../../src/store/store.ts';
import { type Effect, watchFiles } from './watch-files.ts';

export interface Moment {
  readonly phase: 'before' | 'after';
  /** A command (`SettleCall`), a write of the store (`putContent`), `model request`, `rename`, `spawn`, `end of spawn`. */
  readonly what: string;
  /** From 1. */
  readonly nth: number;
}

/** How often each moment came, in the order of their first coming. */
export type Seen = ReadonlyMap<string, number>;

export interface Mortality {
  seen(): Seen;
  wrap(store: Store): Store;
}

/** Makes this process die by SIGKILL at the moment; it lives on without one. `tell` is called synchronously before. */
export function dieAtMoment(moment: Moment | undefined, tell: (what: string) => void): Mortality {
  const seen = new Map<string, number>();
  const die = (): void => {
    tell(`${moment?.phase} ${moment?.what} ${moment?.nth}`);
    process.kill(process.pid, 'SIGKILL');
  };
  const effect: Effect = (what) => {
    const count = (seen.get(what) ?? 0) + 1;
    seen.set(what, count);
    if (what !== moment?.what || count !== moment.nth) return () => undefined;
    if (moment.phase === 'before') die();
    return die;
  };
  watchRequests(effect);
  watchFiles(CHANGES, effect);
  watchProcesses(effect);
  return { seen: () => seen, wrap: (store) => watchStore(store, effect) };
}

/** `after`: the provider has begun to answer. */
function watchRequests(effect: Effect): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const done = effect('model request');
    const answer = await real(input, init);
    done();
    return answer;
  };
}

/** Changes by which tools write files, and by which workspaces come and go. */
const CHANGES = ['rename', 'link', 'unlink', 'mkdir', 'rm', 'writeFile'] as const;

/** Commands of checks and tools; git is `effects.ts`'s matter. */
function watchProcesses(effect: Effect): void {
  const real = childProcess.spawn;
  const watched = (...args: unknown[]): childProcess.ChildProcess => {
    const isGit = /(^|\/)git$/.test(String(args[0]));
    const started = isGit ? undefined : effect('spawn');
    const child: childProcess.ChildProcess = Reflect.apply(real, childProcess, args);
    started?.();
    // First among the listeners: the engine must not have seen the end yet.
    if (!isGit) child.prependOnceListener('exit', () => effect('end of spawn')());
    return child;
  };
  Reflect.set(childProcess, 'spawn', watched);
  syncBuiltinESMExports();
}

const WRITES = ['execute', 'executeWith', 'acquireLease', 'releaseLease', 'recordProcess', 'putContent'] as const;

function watchStore(store: Store, effect: Effect): Store {
  const overrides = WRITES.map((name) => {
    const real: (...args: never[]) => Promise<unknown> = store[name];
    const around = async (...args: never[]): Promise<unknown> => {
      const done = effect(commandOf(args[0]) ?? name);
      const answer = await Reflect.apply(real, store, args);
      done();
      return answer;
    };
    return [name, around] as const;
  });
  return { ...store, ...Object.fromEntries(overrides) };
}

function commandOf(first: unknown): string | undefined {
  if (typeof first !== 'object' || first === null || !('body' in first)) return undefined;
  const { body } = first;
  return typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : undefined;
}
