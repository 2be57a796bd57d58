import { readdir, readFile } from 'node:fs/promises';

/** What `/proc/<pid>/stat` says of a process. */
export interface ProcessFacts {
  readonly pid: number;
  /** Process group. */
  readonly group: number;
  /** A zombie, or on its way to be one: it does nothing any more. */
  readonly ended: boolean;
  /** Clock ticks since boot, as written: with the pid it names one process for ever. */
  readonly started: string;
}

/** Null when there is no such process, or no `/proc`. */
export async function processFacts(pid: number): Promise<ProcessFacts | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name in parentheses may hold anything; the fields after its last one are: state, parent, group, … start time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid, group: Number(fields[2]), ended: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
}

/** Every process id of this machine's view; null where there is no `/proc`. */
export async function processIds(): Promise<readonly number[] | null> {
  const names = await readdir('/proc').catch(() => null);
  return names?.filter((name) => /^\d+$/.test(name)).map(Number) ?? null;
}
