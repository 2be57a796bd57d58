import { NO_USAGE, type Outcome, type Receipt } from '../../core/model/outcome.ts';
import { type Executor, type ExecutorEnd, type Job, type RunIo, startJob, withSignal } from '../executor.ts';
import type { CheckSource } from './check-source.ts';
import { type BaseResult, type ChecksRequest, type ChecksResult, runChecks } from './run-checks.ts';

/** What only the engine knows about a verification. */
export interface Verification {
  readonly source: CheckSource;
  readonly cacheRoot: string;
  readonly workRoot: string;
  readonly knownBase: readonly BaseResult[];
}

export interface VerifyExecutorOptions {
  /** Asked once per Run, when it starts. */
  readonly verificationOf: (job: Job) => Promise<Verification>;
  /** Told what was learnt about a base. */
  readonly onBaseResults: (job: Job, results: readonly BaseResult[]) => Promise<void>;
  readonly engine: string;
  readonly spawn?: ChecksRequest['spawn'];
}

/** Carries out the engine's own Action of type `verify` (D32): the checks of the criteria it is for. */
export function verifyExecutor(options: VerifyExecutorOptions): Executor {
  return {
    start: (job, io) =>
      startJob(io, async (signal) => {
        const deadline = AbortSignal.timeout(job.timeLimitSec * 1_000);
        return verify(options, job, withSignal(io, AbortSignal.any([signal, deadline])), deadline);
      }),
  };
}

/** Verifies one commit (or directory) for a job: every check of the criteria that the Action is for. */
async function verify(
  options: VerifyExecutorOptions,
  job: Job,
  io: RunIo,
  deadline: AbortSignal,
): Promise<ExecutorEnd> {
  const startedAt = io.now();
  const result = await verifyCommit(job, io, await options.verificationOf(job), options);
  if (result.kind === 'checked' && result.baseResults.length > 0) await options.onBaseResults(job, result.baseResults);
  const receipts = result.kind === 'checked' ? result.receipts : [];
  const outcome = outcomeOf(result, deadline.aborted ? 'timed_out' : 'aborted');
  const text = receipts.map((receipt) => `${lineOf(receipt)}\n`).join('') || `${wordsOf(outcome)}\n`;
  const log = result.kind === 'setup_failed' ? result.log : { ...(await io.putContent(Buffer.from(text))), tail: text };
  const usage = { ...NO_USAGE, wallMs: Math.max(0, io.now() - startedAt) };
  return { outcome, log, usage, receipts };
}

/** The checks of a job's criteria on a given state. */
function verifyCommit(
  job: Job,
  io: RunIo,
  verification: Verification,
  options: Pick<VerifyExecutorOptions, 'engine' | 'spawn'>,
): Promise<ChecksResult> {
  const { contract, spec, runId, epoch, confinement } = job;
  return runChecks({
    ...verification,
    ...(contract.setup === undefined ? {} : { setup: contract.setup }),
    ...(options.spawn === undefined ? {} : { spawn: options.spawn }),
    criteria: contract.criteria.filter(({ id }) => spec.for.includes(id)),
    engine: options.engine,
    runId,
    epoch,
    confinement,
    io,
  });
}

/** A check that failed is an answer, so the verification itself is completed; the receipts decide the criteria. */
function outcomeOf(result: ChecksResult, stopCode: 'timed_out' | 'aborted'): Outcome {
  switch (result.kind) {
    case 'checked': {
      const passed = result.receipts.filter(({ verdict }) => verdict === 'passed').length;
      const evidence = result.receipts.map((receipt) => ({
        kind: 'test' as const,
        label: lineOf(receipt),
        status: receipt.verdict === 'passed' ? ('passed' as const) : ('failed' as const),
      }));
      const summary = `${passed} of ${result.receipts.length} checks passed.`;
      return { kind: 'completed', summary, evidence, claims: [], outputs: [] };
    }
    case 'setup_failed': {
      const error = `The set-up failed on the base, before any work (exit code ${result.exitCode ?? 'none'}).\n${result.log.tail}`;
      return { kind: 'retryable', code: 'setup_failed', error };
    }
    case 'not_started':
      return { kind: 'retryable', code: 'spawn_failed', error: result.detail };
    case 'stopped':
      return { kind: 'retryable', code: stopCode, error: `The verification was ended: ${stopCode}.` };
  }
}

function lineOf(receipt: Receipt): string {
  const base = receipt.base === undefined ? '' : `; base ${receipt.base.verdict}`;
  const flags = receipt.flags.length === 0 ? '' : ` [${receipt.flags.join(', ')}]`;
  const exit = receipt.exitCode === null ? '' : `, exit ${receipt.exitCode}`;
  return `${receipt.criterionId} ${receipt.verdict} (${receipt.command}${exit}${base})${flags}`.slice(0, 1_000);
}

function wordsOf(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : (outcome.summary ?? '');
}
