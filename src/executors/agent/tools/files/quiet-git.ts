import { join } from 'node:path';
import { lstatIfAny } from '../../../../workspace/files/look.ts';
import { GitFailure, type GitOptions, runGit } from '../../../../workspace/git/run-git.ts';
import { type Checked, found, problem } from '../../path-safety.ts';
import type { ToolContext } from '../../tool.ts';

const MAX_FILTERS = 200;

/** An executor owns the git directory of such a workspace, so it may lead nowhere else. */
const OWN_GIT_DIR: ReadonlySet<string> = new Set(['isolated-write', 'integrate']);

type Workspace = Pick<ToolContext, 'workspacePath' | 'mode'>;

/** `.git` at the top of the workspace. In a workspace of our own it is a folder, not a link or a file that names one. */
export async function findGitDir(context: Workspace): Promise<Checked<string>> {
  const gitDir = join(context.workspacePath, '.git');
  const stats = await lstatIfAny(gitDir);
  if (stats === undefined)
    return problem('not_found', 'Expected a git repository, found a plain folder. Use list and read.');
  if (OWN_GIT_DIR.has(context.mode) && (!stats.isDirectory() || (await namesAnother(gitDir)))) {
    return problem(
      'protected',
      "Expected the workspace's own git folder, found something else in its place. Report it.",
    );
  }
  return found(gitDir);
}

/** A `commondir` file would have git take the branches of another repository. */
const namesAnother = async (gitDir: string) => (await lstatIfAny(join(gitDir, 'commondir'))) !== undefined;

/**
 * Options for reading a repository that may be hostile: besides what {@link runGit} silences, nothing is fetched, and
 * no filter that its configuration names is run.
 */
export async function quietGit(gitDir: string, context: Workspace, bounds: GitOptions): Promise<Checked<GitOptions>> {
  const env = {
    // An empty list of transports: a partial clone must not fetch what it lacks.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    ...(OWN_GIT_DIR.has(context.mode) ? ownPlaces(gitDir) : {}),
  };
  const options = { ...bounds, gitDir, workTree: context.workspacePath, cwd: context.workspacePath, env };
  const filters = await filterNames(options);
  if (filters.length > MAX_FILTERS) {
    return problem(
      'denied',
      `Expected at most ${MAX_FILTERS} filters in git's configuration, found ${filters.length}. Report it.`,
    );
  }
  return found({ ...options, env: { ...env, ...settings(filters) } });
}

/** No other repository's objects, should a `commondir` file appear meanwhile. */
const ownPlaces = (gitDir: string) => ({ GIT_COMMON_DIR: gitDir, GIT_OBJECT_DIRECTORY: join(gitDir, 'objects') });

async function filterNames(options: GitOptions): Promise<string[]> {
  const args = ['config', '--includes', '--null', '--name-only', '--get-regexp', '^filter\\..'];
  const result = await runGit(args, { ...options, overflow: 'fail', maxBytes: 1024 * 1024 });
  // 1 says that there is none.
  if (result.code > 1) throw new GitFailure(args, result.code, result.stderr);
  const keys = result.stdout.split('\0').filter((key) => key !== '');
  return [...new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))))];
}

/** By environment: unlike `-c`, it takes names with any character. */
function settings(filters: readonly string[]): Record<string, string> {
  const pairs: (readonly [string, string])[] = [
    ['status.submoduleSummary', 'false'],
    ['blame.ignoreRevsFile', ''],
    ['log.mailmap', 'false'],
  ];
  for (const name of filters) {
    for (const key of ['clean', 'smudge', 'process']) pairs.push([`filter.${name}.${key}`, '']);
    pairs.push([`filter.${name}.required`, 'false']);
  }
  const entries = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(entries) };
}
