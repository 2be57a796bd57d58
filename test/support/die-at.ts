import { spawn } from 'node:child_process';
import { compiledScript } from './compiled-script.ts';
import type { MomentOrder } from './moment-process.ts';

const SCRIPT = await compiledScript(new URL('./moment-process.ts', import.meta.url));

/** How an engine process ended. */
export interface LifeEnd {
  /** `before SettleCall 2`; undefined when it lived until nothing could move. */
  readonly died: string | undefined;
  /** What it met, when it lived. */
  readonly seen: readonly (readonly [what: string, times: number])[];
  /** Everything it has printed, errors included. */
  readonly text: string;
}

/** An engine lives in a process of its own until its moment comes, or until nothing can move. */
export async function liveUntil(order: MomentOrder, whileItLives: (over: () => boolean) => Promise<void>) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const take = (chunk: unknown): void => {
    text += String(chunk);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await Promise.all([ended, whileItLives(() => child.exitCode !== null || child.signalCode !== null)]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return readEnd(text);
}

function readEnd(text: string): LifeEnd {
  const lines = text.split('\n');
  const after = (word: string): string | undefined => lines.find((line) => line.startsWith(word))?.slice(word.length);
  return { died: after('dying '), seen: JSON.parse(after('seen ') ?? '[]'), text };
}
