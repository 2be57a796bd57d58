import type { PlanProblem } from './problem.ts';

/** Columns of source shown; a longer line is cut around the caret. */
const MAX_SHOWN = 100;

function excerpt(line: string, column: number): { readonly shown: string; readonly caret: string } {
  const at = Math.min(Math.max(column - 1, 0), line.length);
  const from = at < MAX_SHOWN - 20 ? 0 : at - 40;
  const cut = line.slice(from, from + MAX_SHOWN);
  const before = from > 0 ? '…' : '';
  const shown = `${before}${cut}${from + MAX_SHOWN < line.length ? '…' : ''}`;
  // Tabs stay tabs beneath the line, so that the caret stands under its character at any tab width.
  const indent = `${before}${line.slice(from, at)}`.replace(/[^\t]/g, ' ');
  return { shown, caret: `${indent}^` };
}

function formatProblem(problem: PlanProblem, fileName: string, lines: readonly string[]): string {
  const { line, column, path, expected, found, hint } = problem;
  const head = `${fileName}:${line}:${column}  ${path === '' ? '' : `${path}  `}expected ${expected}, found ${found}`;
  const source = lines[line - 1];
  const { shown, caret } = excerpt(source ?? '', column);
  const margin = ' '.repeat(String(line).length);
  const code = source === undefined || source === '' ? [] : [`  ${line} | ${shown}`, `  ${margin} | ${caret}`];
  const help = hint === undefined ? [] : hint.split('\n').map((text) => (text === '' ? '' : `  ${text}`));
  return [head, ...code, ...help].join('\n');
}

/**
 * Problems for a terminal: `plan.yaml:12:5  criteria[1].check.timeoutSec  expected 1..3600, found -5`, the line of the
 * file with a caret beneath the place, and the hint. `text` is the file as it was parsed.
 */
export function formatProblems(
  problems: readonly PlanProblem[],
  file: { readonly fileName: string; readonly text: string },
): string {
  const lines = file.text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return problems.map((problem) => formatProblem(problem, file.fileName, lines)).join('\n\n');
}
