import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { runFiles } from '../../executors/command/run-files.ts';
import type { World } from '../world.ts';

/** What a Run has printed so far, redacted as it streamed; it only grows. Close it. */
export interface RunOutput {
  readonly bytes: number;
  /** Bytes from `from` on, before `to`. */
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** Undefined when nothing of it is on this machine: it printed nothing, ran elsewhere, or was cleared away. */
export async function openRunOutput({ home }: Pick<World, 'home'>, runId: string): Promise<RunOutput | undefined> {
  const { O_RDONLY, O_NOFOLLOW } = constants;
  const file = await open(runFiles(home.run(runId)).log, O_RDONLY | O_NOFOLLOW).catch(() => undefined);
  if (!file) return undefined;
  const { size } = await file.stat();
  return { bytes: size, read: (from, to) => readSpan(file, from, to), close: () => file.close() };
}

async function readSpan(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const body = Buffer.alloc(Math.max(0, to - from));
  let length = 0;
  while (length < body.length) {
    const { bytesRead } = await file.read(body, length, body.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return body.subarray(0, length);
}
