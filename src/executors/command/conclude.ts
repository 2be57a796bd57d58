import { type CriterionClaim, OUTCOME_LIMITS, type Outcome } from '../../core/model/outcome.ts';
import type { ExitReport } from '../../workspace/process/guarded-process.ts';
import type { Job } from '../executor.ts';
import type { OutcomeRead } from './outcome-file.ts';

/** Exit code by which a command says that trying again is of no use (`EX_CONFIG`). */
const PERMANENT_EXIT = 78;

export interface Ended {
  readonly exit: Pick<ExitReport, 'cause' | 'exitCode' | 'signal' | 'detail'>;
  readonly read: OutcomeRead;
  readonly tail: string;
}

type Failure = Extract<Outcome, { kind: 'retryable' | 'failed' }>;

/**
 * The outcome of a command (D22), by the first row that fits. Pure.
 *
 * | Ending                                   | Outcome                                                  |
 * | ---------------------------------------- | -------------------------------------------------------- |
 * | time-out, silence, abort, no start       | retryable, whatever a file says                          |
 * | a file that says waiting, retryable, failed | that: a command that speaks against itself is believed |
 * | exit 78                                  | failed `exit_78`                                         |
 * | exit 127                                 | failed `command_not_found`                               |
 * | another exit than 0                      | retryable `exit_<n>`; a completed file is not believed   |
 * | exit 0, malformed file                   | retryable `malformed_outcome`                            |
 * | exit 0, completed file                   | that                                                     |
 * | exit 0, no file                          | completed; passes the criteria it was for                |
 */
export function concludeCommand(job: Pick<Job, 'spec' | 'contract'>, ended: Ended): Outcome {
  const { exit, read } = ended;
  if (exit.cause !== 'exited') return retryable(causeCode(exit.cause), sentenceOf(exit), ended);
  if (read.kind === 'outcome' && read.outcome.kind !== 'completed') return read.outcome;
  if (exit.exitCode !== 0) return concludeExit(job, exit.exitCode, ended);
  if (read.kind === 'malformed')
    return retryable('malformed_outcome', ['The outcome file cannot be used.', ...read.complaints].join('\n'), ended);
  if (read.kind === 'outcome') return read.outcome;
  if (job.spec.type === 'review')
    return retryable('no_outcome', 'A review must write an outcome with review: approved or changes_requested.', ended);
  return completedByExit(job, ended.tail);
}

function concludeExit(job: Pick<Job, 'spec'>, exitCode: number | null, ended: Ended): Failure {
  const disbelieved =
    ended.read.kind === 'outcome' ? ' Its outcome file says completed; that is not believed beside such an exit.' : '';
  const complaints = ended.read.kind === 'malformed' ? ['', ...ended.read.complaints].join('\n') : '';
  if (exitCode === null)
    return retryable('killed', `The command was ended by ${ended.exit.signal ?? 'a signal'}.${disbelieved}`, ended);
  const code = `exit_${exitCode}`;
  const error = `The command ended with exit code ${exitCode}.${disbelieved}${complaints}`;
  if (exitCode === PERMANENT_EXIT) return { ...retryable(code, error, ended), kind: 'failed' };
  if (exitCode === 127) return { ...retryable('command_not_found', notFound(job, ended.tail), ended), kind: 'failed' };
  return retryable(code, error, ended);
}

function retryable(code: string, error: string, ended: Ended): Failure {
  const lastWords = ended.tail.trim() === '' ? '' : `\n\nLast output:\n${ended.tail.trimEnd()}`;
  const room = OUTCOME_LIMITS.errorChars - error.length;
  const words = lastWords.length <= room ? lastWords : '';
  return { kind: 'retryable', code, error: (error + words).slice(0, OUTCOME_LIMITS.errorChars) };
}

function causeCode(cause: Exclude<ExitReport['cause'], 'exited'>): string {
  return cause;
}

function sentenceOf(exit: Ended['exit']): string {
  const hints: Partial<Record<ExitReport['cause'], string>> = {
    silent: ' It may have been waiting for an answer; nobody is there to give one.',
    spawn_failed: ' It did not run.',
  };
  return `${exit.detail ?? `The command ended: ${exit.cause}.`}${hints[exit.cause] ?? ''}`;
}

/** Shells name what they missed; an argument vector is missed by its first word. */
function notFound(job: Pick<Job, 'spec'>, tail: string): string {
  const { executor } = job.spec;
  const line = tail
    .split('\n')
    .findLast((text) => /not found/i.test(text))
    ?.trim();
  const program = executor.kind === 'command' && typeof executor.run !== 'string' ? executor.run[0] : undefined;
  const what = program ?? line ?? 'a program of its command line';
  return `Not found: ${what}. Install it, or correct the command; trying again changes nothing.`;
}

function completedByExit(job: Pick<Job, 'spec'>, tail: string): Outcome {
  const words = tail.trim().slice(-OUTCOME_LIMITS.evidenceChars) || 'exit code 0, no output';
  const evidence = [{ kind: 'text', label: words } as const];
  const claims = job.spec.for.map(
    (criterionId): CriterionClaim => ({ criterionId, status: 'passed', evidence: words }),
  );
  const lastLine = tail.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const summary = `${job.spec.name} ended with exit code 0.${lastLine === '' ? '' : ` ${lastLine}`}`;
  return { kind: 'completed', summary: summary.slice(0, OUTCOME_LIMITS.summaryChars), evidence, claims, outputs: [] };
}
