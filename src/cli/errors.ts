import type { SubmitCode, SubmitRefusal } from '../engine/submit/refusal.ts';
import { type Failure, failure } from './answer.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Paint } from './render/paint.ts';
import { failureOfProblem, problemIn } from './server/problem-failure.ts';

const EXIT_OF: Partial<Record<SubmitCode, ExitCode>> = {
  item_not_found: EXIT.notFound,
  action_not_found: EXIT.notFound,
  request_not_found: EXIT.notFound,
  invalid_contract: EXIT.invalid,
  invalid_plan: EXIT.invalid,
  invalid_field: EXIT.invalid,
  uncommitted_work: EXIT.invalid,
  choice_not_offered: EXIT.invalid,
  store_busy: EXIT.store,
  item_quarantined: EXIT.store,
};

/** A refusal of the engine as a command's failure. */
export function rejected({ code, message, expected, found, next }: SubmitRefusal): Failure {
  return failure(EXIT_OF[code] ?? EXIT.refused, code, message, {
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(next === undefined ? {} : { next }),
  });
}

const STORE_NEXT: Readonly<Record<string, string>> = {
  store_busy: 'Another process is writing. Try again.',
  store_full: 'Free some space, then try again. Nothing was changed.',
  store_io: 'Check the disk, then run workcenter doctor.',
  store_corrupt: 'Move workcenter.db, -wal and -shm out of the data directory and put a backup in their place.',
  store_newer_schema: 'Use the newer version of workcenter that wrote it.',
  store_not_found: 'Check WORKCENTER_HOME.',
  store_closed: 'Try again.',
  item_quarantined: 'Run workcenter doctor: it names what cannot be read. Other items go on.',
  store_readonly: 'Make the data directory writable, or set WORKCENTER_HOME to another one.',
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Whatever was thrown, as a failure. Only a defect of ours is left as `internal`. */
export function failureOf(error: unknown): Failure {
  const problem = problemIn(error);
  if (problem) return failureOfProblem(problem);
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const next = code === undefined ? undefined : STORE_NEXT[code];
  if (code !== undefined && next !== undefined) return failure(EXIT.store, code, message, { next });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOSPC' || code === 'ENOTDIR') {
    return failure(EXIT.store, 'file_system', message, { next: 'Check the path and its permissions.' });
  }
  return failure(EXIT.internal, 'internal', message, {
    next: 'This is a defect of workcenter. Repeat with WORKCENTER_DEBUG=1 and report what it prints.',
  });
}

/** A failure as people read it. */
export function sayFailure(problem: Failure, paint: Paint): string {
  if (problem.text !== undefined) return problem.text;
  const facts = (['expected', 'found', 'next'] as const).flatMap((name) => {
    const fact = problem[name];
    return fact === undefined ? [] : [`  ${name.padEnd(8)}  ${fact}`];
  });
  return [`${paint.red('✕')} ${problem.message} ${paint.dim(`(${problem.code})`)}`, ...facts].join('\n');
}

/** The same for programs. */
export function failureJson(problem: Failure): unknown {
  const { code, message, expected = null, found = null, next = null, problems } = problem;
  return { error: { code, message, expected, found, next, ...(problems === undefined ? {} : { problems }) } };
}
