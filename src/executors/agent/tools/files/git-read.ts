import { z } from 'zod';
import { GitFailure, type GitOptions, runGit } from '../../../../workspace/git/run-git.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { type GitReadInput, gitArguments } from './git-arguments.ts';
import { findGitDir, quietGit } from './quiet-git.ts';
import { refused, refusedPath } from './refusal.ts';
import { fitLines, linesOf, sliceChars } from './text.ts';

const MAX_VALUE_CHARS = 4_096;
const MAX_PATHS = 50;
const MAX_LOG = 50;
const MAX_CAPTURE_BYTES = 64 * 1024;
const MAX_OUTPUT_BYTES = 30 * 1024;
const MAX_LINE_CHARS = 2_000;
const GIT_LIMIT_MS = 30_000;

const revision = z.string().min(1).max(MAX_VALUE_CHARS).optional();

const input = z.strictObject({
  operation: z.enum(['status', 'diff', 'show', 'log', 'blame']).describe('What to look at'),
  base: revision.describe('diff: the older side; HEAD without it'),
  head: revision.describe('diff: the newer side; the files as they are without it'),
  revision: revision.describe('show, log, blame: a commit, branch or tag; HEAD without it'),
  paths: z.array(z.string().max(MAX_VALUE_CHARS)).max(MAX_PATHS).optional().describe('Only these files or folders'),
  limit: z.int().min(1).max(MAX_LOG).optional().describe('log: commits, 20 without it, at most 50'),
  lines: z
    .string()
    .regex(/^[1-9]\d{0,8},[1-9]\d{0,8}$/)
    .optional()
    .describe('blame: first and last line, such as 10,40'),
}) satisfies z.ZodType<GitReadInput>;

export const gitReadTool: AgentTool<GitReadInput> = {
  name: 'git_read',
  description:
    'Looks at git without changing anything: status, diff (work tree, or base to head), show one commit, log, blame one file. At most 30 KiB; name paths to see less.',
  input,
  capability: () => 'reads',
  subject: ({ paths = [] }) => (paths.length === 0 ? '.' : paths.join('\n')),
  timeoutMs: 45_000,
  run,
};

async function run(asked: GitReadInput, context: ToolContext): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const args = gitArguments(asked, context);
  if (!args.ok) return refusedPath(args.problem);
  const gitDir = await findGitDir(context);
  if (!gitDir.ok) return refused('not_a_repository', gitDir.problem.message);
  const bounds = {
    timeoutMs: GIT_LIMIT_MS,
    maxBytes: MAX_CAPTURE_BYTES,
    overflow: 'truncate',
    signal: context.signal,
  } as const;
  try {
    const quiet = await quietGit(gitDir.value, context, bounds);
    return quiet.ok ? await answer(args.value, quiet.value) : refused('too_many_filters', quiet.problem.message);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof GitFailure)) throw error;
    return refused('git_failed', `git did not answer: ${error.stderr.trim().slice(0, 500)}. Ask for less.`);
  }
}

async function answer(args: readonly string[], options: GitOptions): Promise<ToolOutput> {
  const result = await runGit(args, options);
  if (result.code !== 0) {
    const said = result.stderr.trim().slice(0, 2_000) || `exit code ${result.code}`;
    return refused('git_failed', `${said}\nCheck the revision and the paths; log and status show what there is.`);
  }
  if (result.stdout === '') return { text: '(Nothing to show.)' };
  const lines = linesOf(result.stdout).map((line) => sliceChars(line, 0, MAX_LINE_CHARS));
  const { text, taken } = fitLines(lines, MAX_OUTPUT_BYTES);
  const isCut = result.truncated || taken < lines.length;
  return { text: isCut ? `${text}\n(Cut after ${taken} lines. Name paths or a smaller range to see the rest.)` : text };
}
