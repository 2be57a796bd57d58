import { open, stat } from 'node:fs/promises';
import { runFiles } from '../executors/command/run-files.ts';
import type { App } from './app.ts';

/** A piece of a growing log. `next` is where to read on. */
export interface OutputPart {
  readonly text: string;
  readonly next: number;
}

const MAX_PART_BYTES = 256 * 1024;

const logOf = (app: App, runId: string): string => runFiles(app.home.run(runId)).log;

/** Bytes up to the last character that is there as a whole; all of them where the end is no UTF-8 anyway. */
function wholeCharacters(buffer: Buffer, length: number): number {
  for (let back = 1; back <= Math.min(4, length); back += 1) {
    const byte = buffer[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needs && back < length ? length - back : length;
  }
  return length;
}

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

/** What a Run printed behind `from`; undefined when nothing of it is on this machine. */
export const outputFrom = (app: App, runId: string, from: number): Promise<OutputPart | undefined> =>
  read(logOf(app, runId), from, MAX_PART_BYTES);

/** The last bytes a Run printed so far; empty when there is nothing yet. */
export async function outputTail(app: App, runId: string, most = 4_096): Promise<string> {
  const path = logOf(app, runId);
  const info = await stat(path).catch(() => undefined);
  if (!info) return '';
  const part = await read(path, Math.max(0, info.size - most), most);
  return (part?.text ?? '').replace(/^\uFFFD+/, '');
}
