import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** What one git process answered. `code` is the exit status, or 128 + 15 style values when a signal ended it. */
export interface GitResult {
  readonly code: number;
  /** Decoded as UTF-8; use {@link runGitBytes} where bytes matter. */
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout was cut at `maxBytes`; only with `overflow: 'truncate'`. */
  readonly truncated: boolean;
}

export interface GitBytes {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly truncated: boolean;
}

export interface GitOptions {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** A file to read as stdin, for input too large to hold; wins over `input`. */
  readonly inputFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default two minutes; the process is killed and the call throws {@link GitFailure}. */
  readonly timeoutMs?: number;
  /** Bound on stdout; more than this kills the process and the call throws. Default 64 MiB. */
  readonly maxBytes?: number;
  /** What more than `maxBytes` means: an error (default), or a cut answer with `truncated` and code 0. */
  readonly overflow?: 'fail' | 'truncate';
  readonly signal?: AbortSignal;
}

/** A git command that had to succeed and did not, could not start, or broke its time or output bound. */
export class GitFailure extends Error {
  readonly args: readonly string[];
  readonly code: number;
  readonly stderr: string;

  constructor(args: readonly string[], code: number, stderr: string) {
    super(`git ${args.join(' ')} ended with ${code}: ${stderr.trim().slice(0, 2000) || 'no message'}`);
    this.name = 'GitFailure';
    this.args = args;
    this.code = code;
    this.stderr = stderr;
  }
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
const STDERR_MAX_BYTES = 256 * 1024;

/**
 * Settings that no repository may override: `-c` outranks every file. They silence hooks, helpers and background
 * work, and make the bytes we read and write independent of who is logged in.
 */
const FIXED_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.autocrlf=false',
  'core.eol=lf',
  'core.safecrlf=false',
  'core.quotePath=false',
  // Refs are never newer on disk than what they name; batch mode makes that one flush per command, not one per file.
  'core.fsync=objects,reference',
  'core.fsyncMethod=batch',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=',
  'credential.helper=',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'gc.autoDetach=false',
  'maintenance.auto=false',
  'protocol.file.allow=always',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'diff.ignoreSubmodules=none',
  'log.showSignature=false',
  'merge.renames=true',
  'merge.conflictStyle=merge',
  'init.defaultBranch=main',
  'user.useConfigOnly=true',
  'safe.directory=*',
  'advice.detachedHead=false',
  'advice.addEmbeddedRepo=false',
  'advice.mergeConflict=false',
].flatMap((setting) => ['-c', setting]);

/** The search path for git and its helpers. The only ambient fact git gets; set once at start by whoever reads the environment. */
let executablePath = DEFAULT_PATH;

/** Tells every later git call where executables are. `path` has the form of PATH; without it, where systems put git. */
export function configureGit(settings: { readonly path?: string }): void {
  executablePath = settings.path ?? DEFAULT_PATH;
}

/**
 * Runs git with a closed environment: no user or system configuration, no inherited GIT_*, no prompt, no hook, no
 * helper. Never blocks the event loop. A non-zero exit is a value; a process that could not start, outlived
 * `timeoutMs` or wrote more than `maxBytes` throws {@link GitFailure}.
 */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const result = await runGitBytes(args, options);
  return { ...result, stdout: result.stdout.toString('utf8') };
}

/** As {@link runGit}, and the output stays bytes (file contents, path lists). */
export async function runGitBytes(args: readonly string[], options: GitOptions = {}): Promise<GitBytes> {
  const stdin = options.inputFile === undefined ? undefined : await open(options.inputFile, 'r');
  try {
    return await spawnGit(args, options, stdin);
  } finally {
    await stdin?.close();
  }
}

function spawnGit(args: readonly string[], options: GitOptions, stdin?: FileHandle): Promise<GitBytes> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...FIXED_SETTINGS, ...args], {
      cwd: options.cwd ?? options.workTree ?? options.gitDir ?? tmpdir(),
      env: environment(options),
      stdio: [stdin?.fd ?? 'pipe', 'pipe', 'pipe'],
      // A process group of its own, so that ending git ends its helpers, which hold the same pipes.
      detached: true,
    });
    const bounds = keepBounds(child, options);
    child.on('close', (code, signal) => {
      bounds.release();
      const failure = bounds.failure();
      if (failure !== undefined) return reject(new GitFailure(args, -1, failure));
      const truncated = bounds.truncated();
      const stderr = bounds.stderr().toString('utf8') + (signal && !truncated ? `ended by ${signal}` : '');
      resolve({ code: truncated ? 0 : (code ?? 128), stdout: bounds.stdout(), stderr, truncated });
    });
    // A git that exits before reading all its input closes the pipe; its exit code tells what happened.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

/** What a git that is kept within bounds has said so far, and which bound it broke. */
interface Bounds {
  stdout(): Buffer;
  stderr(): Buffer;
  truncated(): boolean;
  /** Why the call must throw; undefined when the exit code may be believed. */
  failure(): string | undefined;
  release(): void;
}

/** Ends the process when its time is up, when it says too much, or when the caller gives up. */
function keepBounds(child: ChildProcess, options: GitOptions): Bounds {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES, overflow, signal } = options;
  let failure: string | undefined;
  let truncated = false;
  const kill = (reason?: string): void => {
    failure ??= reason;
    endGroup(child);
  };
  const timer = setTimeout(() => kill(`no end after ${timeoutMs} ms`), timeoutMs);
  const abort = (): void => kill('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  child.on('error', (error) => {
    failure ??= error.message;
  });
  const stdout = collect(child.stdout, maxBytes, () => {
    truncated = overflow === 'truncate';
    kill(truncated ? undefined : `more than ${maxBytes} bytes of output`);
  });
  const stderr = collect(child.stderr, STDERR_MAX_BYTES, () => undefined);
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { stdout, stderr, truncated: () => truncated, failure: () => failure, release };
}

/** Runs git and returns its stdout without the final line break; throws {@link GitFailure} on a non-zero exit. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const result = await runGit(args, options);
  if (result.code !== 0) throw new GitFailure(args, result.code, result.stderr);
  return result.stdout.replace(/\s+$/, '');
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended by itself.
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function environment(options: GitOptions): Record<string, string> {
  return {
    PATH: executablePath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...(options.gitDir === undefined ? {} : { GIT_DIR: options.gitDir }),
    ...(options.workTree === undefined ? {} : { GIT_WORK_TREE: options.workTree }),
    ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
    ...options.env,
  };
}

function collect(stream: NodeJS.ReadableStream | null, maxBytes: number, onOverflow: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  stream?.on('data', (chunk: Buffer) => {
    if (chunk.length > room) onOverflow();
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room = Math.max(0, room - chunk.length);
  });
  return () => Buffer.concat(chunks);
}
