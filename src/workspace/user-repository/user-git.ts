import { spawn } from 'node:child_process';

/**
 * Git in the user's own checkout. Unlike the engine's git it keeps the person's configuration, because what is written
 * into their working tree has to look as if they had checked it out themselves: line endings, attributes files,
 * large-file filters. What could run code on its own account or start work in the background is switched off.
 */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.splitIndex', 'false'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['status.renames', 'false'],
];

const KEPT_GIT_VARIABLES = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM']);

export interface UserGitOptions {
  /** Top level of the checkout, or any directory git should start in. */
  readonly cwd: string;
  /** The person's environment (at least PATH and HOME); GIT_* is dropped except where configuration files are. */
  readonly userEnv: Readonly<Record<string, string>>;
  readonly indexFile?: string;
  readonly input?: string;
  readonly timeoutMs?: number;
}

export interface UserGitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The environment for a git process, or a script that calls git, in the user's checkout. */
export function userGitEnvironment(userEnv: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(userEnv).filter(([name]) => !name.startsWith('GIT_') || KEPT_GIT_VARIABLES.has(name));
  const settings = SETTINGS.flatMap(([key, value], index): [string, string][] => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(SETTINGS.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
}

/** Runs git in the user's checkout. A non-zero exit is a value; a git that cannot start or exceeds its time throws. */
export function runUserGit(args: readonly string[], options: UserGitOptions): Promise<UserGitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...args], {
      cwd: options.cwd,
      env: {
        ...userGitEnvironment(options.userEnv),
        ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 120_000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== null) return reject(new Error(`git ${args[0]} in ${options.cwd} was ended by ${signal}`));
      resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** As {@link runUserGit}, answering stdout as text and throwing on a non-zero exit. */
export async function userGit(args: readonly string[], options: UserGitOptions): Promise<string> {
  const result = await runUserGit(args, options);
  if (result.code !== 0) throw new Error(`git ${args.join(' ')} in ${options.cwd}: ${result.stderr.trim()}`);
  return result.stdout.toString('utf8');
}
