import { execFile } from 'node:child_process';
import { constants, open } from 'node:fs';
import { type FileHandle, mkdtemp, open as openHandle, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The two ends of standard output and standard error. */
export interface OutputPipes {
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** For the child's `stdio`. */
  readonly writeFds: readonly [number, number];
  /** Call once the child has them, or the streams never end. */
  closeWriters(): Promise<void>;
}

const run = promisify(execFile);
const openFd = promisify(open);

/**
 * Real pipes. What Node itself gives a child are sockets, and a socket cannot be opened again: every script
 * that says `> /dev/stderr` would fail under us and nowhere else. Named pipes, unlinked at once, are the way
 * to have the kernel's pipes from here. Rejects if the temporary directory cannot hold them.
 */
export async function openOutputPipes(): Promise<OutputPipes> {
  const directory = await mkdtemp(join(tmpdir(), 'workcenter-pipes-'));
  try {
    const paths = [join(directory, 'stdout'), join(directory, 'stderr')] as const;
    await run('mkfifo', ['-m', '600', ...paths]);
    // The reader first: without one, opening for writing would wait.
    const stdout = await openReader(paths[0]);
    const stderr = await openReader(paths[1]);
    const writers = [await openWriter(paths[0]), await openWriter(paths[1])] as const;
    return {
      stdout,
      stderr,
      writeFds: [writers[0].fd, writers[1].fd],
      closeWriters: async () => {
        await Promise.all(writers.map((writer) => writer.close()));
      },
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function openReader(path: string): Promise<Socket> {
  const fd = await openFd(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

function openWriter(path: string): Promise<FileHandle> {
  return openHandle(path, constants.O_WRONLY);
}
