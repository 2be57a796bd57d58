import { open, stat } from 'node:fs/promises';
import { runFiles } from '../executors/command/run-files.ts';
import type { RunRow } from '../store/rows.ts';
import type { App } from './app.ts';
import { type OutputPart, wholeCharacters } from './output-part.ts';

const MAX_PART_BYTES = 256 * 1024;

const logOf = (app: App, runId: string): string => runFiles(app.home.run(runId)).log;

async function read(path: string, from: number, most: number): Promise<OutputPart | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const buffer = Buffer.alloc(most);
    const { bytesRead } = await file.read(buffer, 0, most, from);
    const length = wholeCharacters(buffer, bytesRead);
    return { text: buffer.subarray(0, length).toString('utf8'), next: from + length };
  } finally {
    await file.close();
  }
}

/** What a Run printed behind `from`; undefined when nothing of it is on this machine, or on that of the server. */
export async function outputFrom(
  app: App,
  run: Pick<RunRow, 'itemId' | 'actionId' | 'runId'>,
  from: number,
): Promise<OutputPart | undefined> {
  const server = await app.server?.();
  if (!server?.isRemote) return read(logOf(app, run.runId), from, MAX_PART_BYTES);
  return (await import('./server/remote-output.ts')).remoteOutput(server, run, from, MAX_PART_BYTES);
}

/** The last bytes a Run printed so far; empty when there is nothing yet. */
export async function outputTail(app: App, runId: string, most = 4_096): Promise<string> {
  const path = logOf(app, runId);
  const info = await stat(path).catch(() => undefined);
  if (!info) return '';
  const part = await read(path, Math.max(0, info.size - most), most);
  return (part?.text ?? '').replace(/^\uFFFD+/, '');
}
