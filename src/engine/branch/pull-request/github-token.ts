import { execFile } from 'node:child_process';

const USUAL = ['GITHUB_TOKEN', 'GH_TOKEN'] as const;
const GH_TIMEOUT_MS = 10_000;

/**
 * The token for a GitHub, of the variable that settings name, else of the usual ones, else what the person's own `gh`
 * is logged in with. Never kept. Undefined when there is none.
 */
export async function githubToken(
  env: Readonly<Record<string, string>>,
  { host, tokenEnv }: { readonly host: string; readonly tokenEnv?: string | undefined },
): Promise<string | undefined> {
  const names = tokenEnv === undefined ? USUAL : [tokenEnv];
  const value = names.map((name) => env[name]?.trim()).find((found) => found !== undefined && found !== '');
  return value ?? (await askGh(env, host));
}

function askGh(env: Readonly<Record<string, string>>, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      env: { ...env, GH_PROMPT_DISABLED: '1' },
      timeout: GH_TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
    };
    // Not there, not logged in, or too slow: all of it means that there is no token.
    execFile('gh', ['auth', 'token', '--hostname', host], options, (error, stdout) =>
      resolve(error === null ? stdout.trim() || undefined : undefined),
    );
  });
}
