import type { ActionStatus } from '../../core/model/action.ts';
import type { CheckVerdict, ReceiptFlag } from '../../core/model/outcome.ts';
import type { Paint } from './paint.ts';

const FLAG_WORDS: Readonly<Record<ReceiptFlag | 'concurrent_write', string>> = Object.freeze({
  red_to_green: 'red→green',
  already_green: 'already green before the work',
  base_unknown: 'base not measured',
  protected_restored: 'protected files restored',
  tests_changed: 'tests changed',
  script_changed: 'scripts changed',
  setup_changed: 'set-up changed',
  not_sandboxed: 'not sandboxed',
  in_place: 'ran in place',
  concurrent_write: 'written beside it',
});

/** Flags that take something away from a proof; the rest adds to it or is neutral. */
const WARNS: ReadonlySet<string> = new Set([
  'already_green',
  'base_unknown',
  'tests_changed',
  'script_changed',
  'not_sandboxed',
  'in_place',
  'concurrent_write',
]);

export const flagWords = (flags: readonly (ReceiptFlag | 'concurrent_write')[], paint: Paint): string =>
  flags.map((flag) => (WARNS.has(flag) ? paint.amber(FLAG_WORDS[flag]) : FLAG_WORDS[flag])).join(', ');

const VERDICT_WORDS: Readonly<Record<CheckVerdict, string>> = Object.freeze({
  passed: 'passed',
  wrong_exit: 'failed',
  output_mismatch: 'printed something else',
  timed_out: 'timed out',
  not_found: 'the command was not found',
  setup_failed: 'the set-up failed',
  killed: 'was killed',
});

export const verdictWord = (verdict: CheckVerdict): string => VERDICT_WORDS[verdict];

const STATUS_GLYPH: Readonly<Record<ActionStatus, string>> = Object.freeze({
  ready: '○',
  running: '●',
  waiting: '?',
  completed: '✓',
  failed: '✕',
  closed: '−',
  superseded: '↷',
  cancelled: '⊘',
});

export function statusGlyph(status: ActionStatus, paint: Paint): string {
  const shape = STATUS_GLYPH[status];
  switch (status) {
    case 'running':
      return paint.blue(shape);
    case 'completed':
      return paint.green(shape);
    case 'failed':
      return paint.red(shape);
    case 'waiting':
      return paint.amber(shape);
    case 'ready':
    case 'closed':
    case 'superseded':
    case 'cancelled':
      return paint.dim(shape);
  }
}

export const shortCommit = (commit: string): string =>
  commit.startsWith('content:') ? commit.slice(0, 16) : commit.slice(0, 10);

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
