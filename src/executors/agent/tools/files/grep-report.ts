import type { ToolOutput } from '../../tool.ts';
import type { FoundLine, SearchAnswer } from './guarded-regexp.ts';
import { fitLines, oneLine } from './text.ts';

const MAX_OUTPUT_BYTES = 32 * 1024;
const ALL_HITS = 1_000_000;
const SHOWN_SKIPPED = 5;

/** What a search has found so far. */
export interface GrepReport {
  readonly mode: 'files' | 'content' | 'count';
  /** Hits with mode `content`, else files. */
  readonly limit: number;
  readonly lines: string[];
  /** Files that were not searched, by reason. */
  readonly skipped: Map<string, string[]>;
  bytes: number;
  counted: number;
}

export const newReport = (mode: GrepReport['mode'], limit: number): GrepReport => ({
  mode,
  limit,
  lines: [],
  skipped: new Map(),
  bytes: 0,
  counted: 0,
});

export const isFull = (report: GrepReport): boolean =>
  report.counted >= report.limit || report.bytes > MAX_OUTPUT_BYTES;

/** How many hits of the next file are of use. */
export function hitsWanted({ mode, limit, counted }: GrepReport): number {
  if (mode === 'content') return limit - counted;
  return mode === 'files' ? 1 : ALL_HITS;
}

export function addHits(report: GrepReport, path: string, answer: SearchAnswer): void {
  if (answer.hits === 0) return;
  report.counted += report.mode === 'content' ? answer.hits : 1;
  for (const line of linesFor(report.mode, oneLine(path), answer)) {
    report.lines.push(line);
    report.bytes += Buffer.byteLength(line) + 1;
  }
}

export function addSkipped(report: GrepReport, path: string, why: string): void {
  const paths = report.skipped.get(why) ?? [];
  paths.push(oneLine(path));
  report.skipped.set(why, paths);
}

/** @param cut Why not all files were seen; undefined when they were. */
export function reportOutput(report: GrepReport, cut: string | undefined): ToolOutput {
  const { text, taken } = fitLines(report.lines, MAX_OUTPUT_BYTES);
  const notes = [...limitNote(report, taken), ...skippedNotes(report)];
  if (cut !== undefined) notes.push(`(The search was ended ${cut}; there may be more. Narrow \`path\` or \`glob\`.)`);
  return { text: [report.lines.length === 0 ? 'No match.' : text, ...notes].join('\n') };
}

function linesFor(mode: GrepReport['mode'], name: string, answer: SearchAnswer): string[] {
  if (mode === 'files') return [name];
  return mode === 'count' ? [`${name}:${answer.hits}`] : contentLines(name, answer.lines);
}

/** `path:12:text` for a hit, `path-11-text` around it, `--` where lines are left out. */
function contentLines(name: string, lines: readonly FoundLine[]): string[] {
  const hasContext = lines.some((line) => !line.isHit);
  return lines.flatMap(({ number, text, isHit }, index) => {
    const line = isHit ? `${name}:${number}:${text}` : `${name}-${number}-${text}`;
    const isApart = number > (lines[index - 1]?.number ?? number) + 1;
    return hasContext && isApart ? ['--', line] : [line];
  });
}

function limitNote(report: GrepReport, taken: number): string[] {
  const isCut = taken < report.lines.length;
  if (!isFull(report) && !isCut) return [];
  const what = isCut ? 'as much as an answer holds' : `the limit of ${report.limit}`;
  return [`(Stopped at ${what}; there may be more. Narrow the search.)`];
}

function skippedNotes(report: GrepReport): string[] {
  return [...report.skipped].map(([why, paths]) => {
    const count = `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`;
    // Binary files are many and expected; others are named, because the model may have wanted them.
    if (why === 'binary') return `(Not searched, binary: ${count})`;
    const some = paths.slice(0, SHOWN_SKIPPED).join(', ');
    return `(Not searched, ${why}: ${count}: ${some}${paths.length > SHOWN_SKIPPED ? ', …' : ''})`;
  });
}
