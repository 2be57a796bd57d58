import { execFile } from 'node:child_process';
import { constants, open } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);
const openFd = promisify(open);

export interface InputPipe {
  /** For a command line: runs `argv` with the pipe as its standard input. */
  around(argv: readonly string[]): readonly string[];
  /** Resolves once the text is in the pipe; rejects if the pipe is closed first. */
  write(text: string): Promise<void>;
  /** The end of the input; the pipe is removed. */
  close(): Promise<void>;
}

/**
 * A standard input that stays open, for a guarded process, which otherwise gets its whole input at its start. A named
 * pipe at `path`, which the process has to be able to see. We hold both of its ends, so that opening waits for nobody.
 */
export async function openInputPipe(path: string): Promise<InputPipe> {
  await run('mkfifo', ['-m', '600', path]);
  const fd = await openFd(path, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {}); // Told by `write`.
  return {
    around: (argv) => ['/bin/sh', '-c', 'exec "$@" <"$0"', path, ...argv],
    write: (text) =>
      new Promise((resolve, reject) => {
        socket.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      socket.destroy();
      await rm(path, { force: true });
    },
  };
}
