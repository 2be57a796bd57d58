import { spawn } from 'node:child_process';
import { userGitEnvironment } from '../user-repository/user-git.ts';

/** The person's repository, in whose name the remote is spoken to. */
export interface UserRepository {
  readonly gitDir: string;
  /** Where relative addresses start. */
  readonly topLevel: string;
  /** The person's environment (at least PATH and HOME): their configuration, credential helpers and agents apply. */
  readonly userEnv: Readonly<Record<string, string>>;
}

export interface RemoteGitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RemoteGitOptions {
  readonly signal?: AbortSignal;
  /** Default two minutes for a question; a push says its own. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const MAX_CHARS = 16 * 1024 * 1024;

/** Variables of git by which a person says how a remote is reached; all others are dropped. */
const ACCESS = /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_[A-Z_]+|PROXY_COMMAND)$/;

const NEVER_ASK: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
};

/**
 * Git that speaks to a remote with the person's own credentials, without a terminal, a prompt or a hook of theirs. A
 * non-zero exit is a value. The whole process group ends with `signal` or at the time-out, for helpers hold the same
 * pipes; both are a result with code 128 and the cause as its error text.
 */
export async function runRemoteGit(
  args: readonly string[],
  repository: UserRepository,
  options: RemoteGitOptions = {},
): Promise<RemoteGitResult> {
  const env = { ...environment(repository), ...(await sshThatNeverAsks(repository)) };
  return start(args, repository.topLevel, env, options);
}

function environment({ gitDir, userEnv }: UserRepository): Record<string, string> {
  const access = Object.entries(userEnv).filter(([name]) => ACCESS.test(name));
  return { ...userGitEnvironment(userEnv), ...Object.fromEntries(access), ...NEVER_ASK, GIT_DIR: gitDir };
}

/** A command that begins with ssh itself, in whatever directory, quoted or not. */
const SSH = /^(?:"[^"]*\/|'[^']*\/|(?:\\.|[^\s\\'"])*\/)?ssh["']?(?:\s|$)/;

/** The ssh that the person chose, told not to ask; another program than ssh would not know the option. */
async function sshThatNeverAsks(repository: UserRepository): Promise<Record<string, string>> {
  const { userEnv, topLevel } = repository;
  if (userEnv.GIT_SSH !== undefined && userEnv.GIT_SSH_COMMAND === undefined) return {};
  const configured = ['config', '--get', 'core.sshCommand'];
  const chosen =
    userEnv.GIT_SSH_COMMAND ??
    ((await start(configured, topLevel, environment(repository), {})).stdout.trim() || 'ssh');
  return SSH.test(chosen) ? { GIT_SSH_COMMAND: `${chosen} -o BatchMode=yes` } : {};
}

function start(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  { signal, timeoutMs = TIMEOUT_MS }: RemoteGitOptions,
): Promise<RemoteGitResult> {
  return new Promise((resolve, reject) => {
    // A group and session of its own: ssh finds no terminal to ask at, and nothing outlives us.
    const child = spawn('git', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out: string[] = [];
    const err: string[] = [];
    const ended = endings(child.pid, { signal, timeoutMs });
    keep(child.stdout, out);
    keep(child.stderr, err);
    child.on('error', (error) => {
      ended.release();
      reject(error);
    });
    child.on('close', (code) => {
      ended.release();
      const why = ended.why();
      resolve({ code: why ? 128 : (code ?? 128), stdout: out.join(''), stderr: why ?? err.join('') });
    });
  });
}

/** Ends the group when it must; says why afterwards. */
function endings(
  pid: number | undefined,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal | undefined; timeoutMs?: number },
) {
  let why: string | undefined;
  const end = (cause: string): void => {
    why ??= cause;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group has ended by itself.
    }
  };
  const timer = setTimeout(() => end(`connection timed out: no end after ${timeoutMs} ms`), timeoutMs);
  const abort = (): void => end('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { why: () => why, release };
}

function keep(stream: NodeJS.ReadableStream, chunks: string[]): void {
  let room = MAX_CHARS;
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (room > 0) chunks.push(chunk.slice(0, room));
    room -= chunk.length;
  });
}
