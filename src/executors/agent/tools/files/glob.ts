import { lstat } from 'node:fs/promises';
import { z } from 'zod';
import { quote, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { filePattern } from './file-pattern.ts';
import { guardedRegExp, type Pattern } from './guarded-regexp.ts';
import { refused, refusedPath } from './refusal.ts';
import { fitLines, oneLine } from './text.ts';
import { type WalkEnd, type WalkedFile, walk } from './walk.ts';

const MAX_RESULTS = 500;
const MAX_OUTPUT_BYTES = 30 * 1024;
const MATCH_LIMIT_MS = 5_000;
const LOOKED_AT_ONCE = 64;
const TESTED_AT_ONCE = 10_000;

const input = z.strictObject({
  pattern: z.string().describe('Pattern below `path`: `*.ts` there, `**/*.ts` at any depth, `{a,b}` either'),
  path: z.string().optional().describe('Folder to start in; the project folder without it'),
});

type GlobInput = z.infer<typeof input>;

export const globTool: AgentTool<GlobInput> = {
  name: 'glob',
  description:
    'Finds files by name, newest first, at most 500. Files that .gitignore names, node_modules and .git are left out; give one as `path` to look into it.',
  input,
  capability: () => 'reads',
  subject: ({ path }) => path ?? '.',
  timeoutMs: 60_000,
  run,
};

async function run({ pattern, path = '.' }: GlobInput, context: ToolContext): Promise<ToolOutput> {
  const regexp = filePattern(pattern);
  if (!regexp.ok) return refusedPath(regexp.problem);
  const start = await resolvePlace(path, context);
  if (!start.ok) return refusedPath(start.problem);
  const { stats } = start.value;
  if (stats === undefined)
    return refused('not_found', `No folder is at ${quote(path)}. Use list to find the right one.`);
  if (!stats.isDirectory())
    return refused('not_a_directory', `Expected a folder at ${quote(path)}, found a file. Name its folder.`);
  const end: WalkEnd = {};
  const files: WalkedFile[] = [];
  for await (const file of walk(start.value, context, end)) files.push(file);
  const matching = await filterFiles(files, regexp.value, MATCH_LIMIT_MS, context.signal);
  if (matching === 'too_slow') return tooSlow(pattern);
  return present(await newestFirst(matching, context.signal), end);
}

export const tooSlow = (pattern: string): ToolOutput =>
  refused(
    'pattern_too_slow',
    `The pattern ${quote(pattern)} did not come to an end and was stopped. Use a simpler one.`,
  );

/** The files whose path below the start matches. */
export async function filterFiles(
  files: readonly WalkedFile[],
  pattern: Pattern,
  limitMs: number,
  signal: AbortSignal,
): Promise<readonly WalkedFile[] | 'too_slow'> {
  const guarded = guardedRegExp(limitMs, signal);
  const matching: WalkedFile[] = [];
  try {
    for (let at = 0; at < files.length; at += TESTED_AT_ONCE) {
      const some = files.slice(at, at + TESTED_AT_ONCE);
      const names = some.map((file) => file.below);
      const answer = await guarded.test(pattern, names);
      if (answer.kind === 'too_slow') return 'too_slow';
      matching.push(...some.filter((_, index) => answer.value[index]));
    }
    return matching;
  } finally {
    await guarded.close();
  }
}

async function newestFirst(files: readonly WalkedFile[], signal: AbortSignal): Promise<string[]> {
  const dated: { shown: string; mtimeMs: number }[] = [];
  for (let at = 0; at < files.length; at += LOOKED_AT_ONCE) {
    signal.throwIfAborted();
    dated.push(...(await Promise.all(files.slice(at, at + LOOKED_AT_ONCE).map(withDate))));
  }
  return dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.shown < b.shown ? -1 : 1)).map((file) => file.shown);
}

async function withDate({ real, shown }: WalkedFile): Promise<{ shown: string; mtimeMs: number }> {
  const stats = await lstat(real).catch(() => undefined);
  return { shown, mtimeMs: stats?.mtimeMs ?? 0 };
}

function present(paths: readonly string[], end: WalkEnd): ToolOutput {
  const early = end.cut === undefined ? '' : `\n(The search was ended ${end.cut}; there may be more. Narrow \`path\`.)`;
  if (paths.length === 0) return { text: `No file matches.${early}` };
  const { text, taken } = fitLines(paths.slice(0, MAX_RESULTS).map(oneLine), MAX_OUTPUT_BYTES);
  const cut =
    taken < paths.length ? `\n(The newest ${taken} of ${paths.length}. Narrow the pattern for the others.)` : '';
  return { text: text + cut + early };
}
