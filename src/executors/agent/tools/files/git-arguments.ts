import { relative, resolve } from 'node:path';
import { type Checked, found, isProtected, leaves, problem, quote, type Where } from '../../path-safety.ts';

export interface GitReadInput {
  readonly operation: 'status' | 'diff' | 'show' | 'log' | 'blame';
  readonly base?: string | undefined;
  readonly head?: string | undefined;
  readonly revision?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly lines?: string | undefined;
}

const DEFAULT_LOG = 20;

/** No program of the repository's choosing, and no colours, orders or submodules of its configuration. */
const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '-O/dev/null',
  '--submodule=short',
  '--ignore-submodules=dirty',
];
const LOG_FORMAT = '--format=%h %ad %an%n    %s';

type Value = 'base' | 'head' | 'revision' | 'limit' | 'lines';

const ALLOWED: Readonly<Record<GitReadInput['operation'], readonly Value[]>> = {
  status: [],
  diff: ['base', 'head'],
  show: ['revision'],
  log: ['revision', 'limit'],
  blame: ['revision', 'lines'],
};

/** The command line after `git`, with every value where it cannot be taken for an option. */
export function gitArguments(asked: GitReadInput, where: Where): Checked<string[]> {
  const misused = misusedValue(asked);
  if (misused !== undefined) return misused;
  const paths: string[] = [];
  for (const path of asked.paths ?? []) {
    const checked = pathInRepository(path, where);
    if (!checked.ok) return checked;
    paths.push(checked.value);
  }
  if (asked.operation === 'blame' && paths.length !== 1) {
    return problem('bad_path', `Expected exactly one path to blame, found ${paths.length}. Name one file.`);
  }
  return found(['--no-pager', '--literal-pathspecs', ...command(asked), '--', ...paths]);
}

function command(asked: GitReadInput): string[] {
  const { operation, base = 'HEAD', head, revision = 'HEAD', limit = DEFAULT_LOG, lines } = asked;
  switch (operation) {
    case 'status':
      return ['status', '--porcelain=v1', '--branch', '--no-ahead-behind', '--ignore-submodules=dirty'];
    case 'diff':
      return ['diff', ...PLAIN_DIFF, '--end-of-options', base, ...(head === undefined ? [] : [head])];
    case 'show':
      return ['show', ...PLAIN_DIFF, '--no-show-signature', '--date=iso-strict', '--end-of-options', revision];
    case 'log':
      return [
        'log',
        `--max-count=${limit}`,
        '--no-color',
        '--no-show-signature',
        '--no-mailmap',
        '--date=short',
        LOG_FORMAT,
        '--end-of-options',
        revision,
      ];
    case 'blame':
      // Without a revision, the lines as they are now.
      return [
        'blame',
        '--no-textconv',
        '--date=short',
        ...(lines === undefined ? [] : [`-L${lines}`]),
        ...(asked.revision === undefined ? [] : [revision]),
      ];
  }
}

function misusedValue(asked: GitReadInput): Checked<never> | undefined {
  for (const name of ['base', 'head', 'revision', 'limit', 'lines'] as const) {
    const value = asked[name];
    if (value === undefined) continue;
    if (!ALLOWED[asked.operation].includes(name)) {
      return problem('bad_path', `\`${name}\` means nothing for ${asked.operation}. Leave it out.`);
    }
    if (typeof value === 'string' && isDangerous(value)) return dangerous(value);
  }
  return undefined;
}

/** What git could take for an option, or what would not arrive as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isDangerous = (value: string) => value.startsWith('-') || /[\u0000\r\n]/.test(value);

const dangerous = (value: string) =>
  problem(
    'bad_path',
    `Expected a revision or path, found ${quote(value)}: it may not start with - or hold a line break.`,
  );

/** Relative to the top of the workspace. It need not exist: history knows files that are gone, so no link is followed. */
function pathInRepository(path: string, where: Where): Checked<string> {
  if (path === '' || isDangerous(path)) return dangerous(path);
  const inside = relative(where.workspacePath, resolve(where.projectPath, path));
  if (leaves(inside))
    return problem('outside_workspace', `Expected a path inside the workspace, found ${quote(path)}.`);
  if (isProtected(inside))
    return problem('protected', `${quote(path)} is git's own folder. Name a file of the project.`);
  return found(inside === '' ? '.' : inside);
}
