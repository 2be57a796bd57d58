import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll } from 'vitest';
import { compiledScript } from './compiled-script.ts';
import type { EngineOrder } from './engine-process.ts';
import { until } from './rig.ts';

const SCRIPT = await compiledScript(new URL('./engine-process.ts', import.meta.url));

/** An engine in a process of its own. */
export interface EngineChild {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Everything it has printed, errors included. */
  text(): string;
  lines(): readonly string[];
  /** Resolves when a line begins like this; throws when it ends before. */
  says(start: string, times?: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves with its exit code, null for a signal, when it is gone. */
  readonly ended: Promise<number | null>;
}

const living = new Set<EngineChild>();

/** Whatever a test does, none of its engines outlives its file. Not after each: tests may be concurrent. */
afterAll(async () => {
  await Promise.all([...living].map((engine) => engine.kill()));
});

export function startEngine(order: EngineOrder): EngineChild {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const take = (chunk: unknown): void => {
    text += String(chunk);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  // `exit`, not `close`: a command that outlives its engine may hold the pipe.
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const lines = (): readonly string[] => text.split('\n').slice(0, -1);
  const engine: EngineChild = {
    child,
    pid: child.pid ?? 0,
    text: () => text,
    lines,
    says: async (start, times = 1) => {
      const count = (): number => lines().filter((line) => line.startsWith(start)).length;
      await until(`the engine says ${start}`, () => {
        if (count() >= times) return true;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The engine ended before it said ${start}:\n${text}`);
        return false;
      });
    },
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    ended,
  };
  living.add(engine);
  void ended.then(() => living.delete(engine));
  return engine;
}
