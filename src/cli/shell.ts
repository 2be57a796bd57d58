import { EXIT } from './exit-codes.ts';
import { type Paint, paintFor } from './render/paint.ts';

/** Everything a command may know of the process it runs in; the only reader of environment and terminal. */
export interface Shell {
  readonly version: string;
  /** One JSON document instead of text. */
  readonly json: boolean;
  readonly paint: Paint;
  /** Columns and rows of the terminal, 80 by 24 where there is none. */
  readonly columns: number;
  readonly rows: number;
  /** Standard output is a terminal that can be redrawn. */
  readonly live: boolean;
  /** A person can be asked. */
  readonly canAsk: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pid: number;
  readonly now: () => number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Standard input to its end, or its first `mostBytes` bytes. */
  readonly readInput: (mostBytes: number) => Promise<Uint8Array>;
  /**
   * From now on the first SIGINT or SIGTERM aborts the signal and the second ends the process at once. Called only by
   * commands that have something to bring to an end.
   */
  readonly interruptible: () => AbortSignal;
}

export interface ShellFlags {
  readonly json: boolean;
  readonly colour: boolean;
}

const environment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

async function readInput(mostBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part));
    size += parts.at(-1)?.length ?? 0;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes);
}

let interrupts: AbortController | undefined;

function interruptible(): AbortSignal {
  if (interrupts) return interrupts.signal;
  const controller = new AbortController();
  interrupts = controller;
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  return controller.signal;
}

/** A reader that went away (`workcenter ls | head`) is no error. */
function tolerateClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    // A full disk behind a redirection, for instance: nothing that this program could still say there.
    process.exit(EXIT.store);
  });
}

export function openShell(version: string, flags: ShellFlags): Shell {
  const { stdout, stderr, stdin } = process;
  tolerateClosedPipe(stdout);
  tolerateClosedPipe(stderr);
  const env = environment();
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb';
  const colour = flags.colour && !flags.json && (env.NO_COLOR ?? '') === '' && isTerminal;
  return {
    version,
    json: flags.json,
    paint: paintFor(colour),
    get columns() {
      return Math.max(40, stdout.columns ?? 80);
    },
    get rows() {
      return Math.max(10, stdout.rows ?? 24);
    },
    live: isTerminal && !flags.json,
    canAsk: isTerminal && stdin.isTTY === true && !flags.json,
    env,
    cwd: process.cwd(),
    pid: process.pid,
    now: Date.now,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    readInput,
    interruptible,
  };
}
