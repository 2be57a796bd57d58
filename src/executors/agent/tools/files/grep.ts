import { z } from 'zod';
import { type Checked, found, type Place, problem, quote, resolvePlace } from '../../path-safety.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../../tool.ts';
import { filePattern } from './file-pattern.ts';
import { filterFiles, tooSlow } from './glob.ts';
import { addHits, addSkipped, type GrepReport, hitsWanted, isFull, newReport, reportOutput } from './grep-report.ts';
import { type GuardedRegExp, guardedRegExp, type Pattern } from './guarded-regexp.ts';
import { readBounded } from './open-file.ts';
import { refused, refusedPath } from './refusal.ts';
import { isBinary } from './text.ts';
import { type WalkEnd, type WalkedFile, walk } from './walk.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_PATTERN_CHARS = 2_000;
const MAX_CONTEXT = 50;
const MAX_HITS = 10_000;
const DEFAULT_HITS = 250;
/** Of one file. */
const MATCH_LIMIT_MS = 5_000;
/** Of the whole search; what was found until then is told. */
const SEARCH_LIMIT_MS = 60_000;

const aroundHit = z.int().min(0).max(MAX_CONTEXT).optional();

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(MAX_PATTERN_CHARS)
    .describe('JavaScript regular expression, or plain text with `literal`'),
  path: z.string().optional().describe('Folder or file to search; the project folder without it'),
  glob: z.string().optional().describe('Only files whose name matches, such as *.ts or src/**/*.md'),
  mode: z.enum(['files', 'content', 'count']).optional().describe('Names of files (default), lines, or hits per file'),
  ignoreCase: z.boolean().optional().describe('Upper and lower case are the same'),
  literal: z.boolean().optional().describe('The pattern is plain text'),
  before: aroundHit.describe('Lines shown before a hit, with mode content'),
  after: aroundHit.describe('Lines shown after a hit, with mode content'),
  context: aroundHit.describe('Lines shown before and after a hit, with mode content'),
  multiline: z.boolean().optional().describe('A hit may span lines, and . matches a line break'),
  limit: z
    .int()
    .min(1)
    .max(MAX_HITS)
    .optional()
    .describe('Hits (mode content) or files, 250 without it, at most 10000'),
});

export type GrepInput = z.infer<typeof input>;

/** `matchLimitMs` is how long a pattern may take for one file. */
export function createGrepTool({ matchLimitMs = MATCH_LIMIT_MS } = {}): AgentTool<GrepInput> {
  return {
    name: 'grep',
    description:
      'Searches text files for a pattern. Files that .gitignore names, binary ones and those above 16 MiB are left out. At most 32 KiB of answer, 500 characters of a line.',
    input,
    capability: () => 'reads',
    subject: ({ path }) => path ?? '.',
    timeoutMs: 120_000,
    run: (asked, context) => run(asked, context, matchLimitMs),
  };
}

export const grepTool = createGrepTool();

async function run(asked: GrepInput, context: ToolContext, matchLimitMs: number): Promise<ToolOutput> {
  const pattern = compile(asked);
  if (!pattern.ok) return refused('bad_pattern', pattern.problem.message);
  const start = await resolvePlace(asked.path ?? '.', context);
  if (!start.ok) return refusedPath(start.problem);
  if (start.value.stats === undefined) {
    return refused('not_found', `Nothing is at ${quote(asked.path ?? '.')}. Use glob or list to find the right path.`);
  }
  const end: WalkEnd = {};
  const files = await candidates(start.value, asked, context, end);
  if (!files.ok) return refusedPath(files.problem);
  const filtered = await byName(files.value, asked.glob, matchLimitMs, context.signal);
  if (filtered === 'too_slow') return tooSlow(asked.glob ?? '');
  const guarded = guardedRegExp(matchLimitMs, context.signal);
  try {
    return await searchAll(filtered, { asked, pattern: pattern.value, guarded, context, end });
  } finally {
    await guarded.close();
  }
}

/** With Unicode rules where the pattern allows them: else `.` is half of some characters. */
function compile(asked: GrepInput): Checked<Pattern> {
  const source = asked.literal === true ? asked.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : asked.pattern;
  const flags = `${asked.multiline === true ? 'gms' : ''}${asked.ignoreCase === true ? 'i' : ''}`;
  let reason = '';
  for (const candidate of [`${flags}u`, flags]) {
    try {
      new RegExp(source, candidate);
      return found({ source, flags: candidate });
    } catch (error) {
      reason = error instanceof Error ? error.message : '';
    }
  }
  return problem(
    'bad_path',
    `Expected a regular expression, found one with a mistake: ${reason}. Correct it or set \`literal\`.`,
  );
}

async function candidates(
  start: Place,
  asked: GrepInput,
  context: ToolContext,
  end: WalkEnd,
): Promise<Checked<readonly WalkedFile[]>> {
  const glob = asked.glob === undefined ? undefined : filePattern(anywhere(asked.glob));
  if (glob?.ok === false) return glob;
  if (start.stats?.isDirectory() !== true) {
    return found([{ real: start.real, shown: start.shown, below: start.shown, isLink: false }]);
  }
  const files: WalkedFile[] = [];
  for await (const file of walk(start, context, end)) if (!file.isLink) files.push(file);
  return found(files);
}

/** A name without a folder is meant at any depth. */
const anywhere = (glob: string) => (glob.includes('/') ? glob : `**/${glob}`);

async function byName(files: readonly WalkedFile[], glob: string | undefined, limitMs: number, signal: AbortSignal) {
  const pattern = glob === undefined ? undefined : filePattern(anywhere(glob));
  return pattern?.ok ? filterFiles(files, pattern.value, limitMs, signal) : files;
}

interface Search {
  readonly asked: GrepInput;
  readonly pattern: Pattern;
  readonly guarded: GuardedRegExp;
  readonly context: ToolContext;
  readonly end: WalkEnd;
}

async function searchAll(files: readonly WalkedFile[], search: Search): Promise<ToolOutput> {
  const { asked, context, end } = search;
  const report = newReport(asked.mode ?? 'files', asked.limit ?? DEFAULT_HITS);
  const deadline = context.now() + SEARCH_LIMIT_MS;
  for (const file of files) {
    context.signal.throwIfAborted();
    if (isFull(report)) break;
    if (context.now() > deadline) {
      end.cut ??= 'when its time was up';
      break;
    }
    if ((await searchFile(file, search, report)) === 'too_slow') return tooSlow(asked.pattern);
  }
  return reportOutput(report, end.cut);
}

async function searchFile(file: WalkedFile, search: Search, report: GrepReport): Promise<'too_slow' | 'searched'> {
  const bytes = await textBytes(file, search.context);
  if (!bytes.ok) {
    addSkipped(report, file.shown, bytes.problem.code);
    return 'searched';
  }
  const answer = await search.guarded.search({
    // A copy with a buffer of its own: small reads share one, which cannot be handed to another thread.
    bytes: new Uint8Array(bytes.value),
    pattern: search.pattern,
    multiline: search.asked.multiline === true,
    ...linesAround(search.asked),
    limit: hitsWanted(report),
  });
  if (answer.kind === 'too_slow') return 'too_slow';
  addHits(report, file.shown, answer.value);
  return 'searched';
}

async function textBytes(file: WalkedFile, context: ToolContext): Promise<Checked<Buffer>> {
  // Looked up anew: since the walk its folder may have become a link.
  const target = await resolvePlace(file.real, context);
  const bytes = target.ok ? await readBounded(target.value, MAX_FILE_BYTES) : target;
  return bytes.ok && isBinary(bytes.value) ? problem('binary', '') : bytes;
}

function linesAround({ mode, before, after, context = 0 }: GrepInput): { before: number; after: number } {
  return mode === 'content' ? { before: before ?? context, after: after ?? context } : { before: 0, after: 0 };
}
