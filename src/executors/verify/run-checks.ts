import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Criterion } from '../../core/model/contract.ts';
import { type CheckVerdict, OUTCOME_LIMITS, type Receipt, type ReceiptFlag } from '../../core/model/outcome.ts';
import { redact } from '../../text/redact.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import type { StoredLog } from '../executor.ts';
import { type ChangedMatters, changedMatters, mattersOf } from './changed-scripts.ts';
import type { CheckPlace } from './check-place.ts';
import { type CheckAttempt, type Checked, type CheckRun, hasCheck, runCheck } from './run-check.ts';
import { type SetupResult, setupChanged, setupFor } from './setup.ts';

/** What a check said on a base; kept by the engine, because a base is asked once per version of a criterion. */
export interface BaseResult {
  readonly criterionId: string;
  readonly criterionVersion: number;
  readonly at: string;
  /** The set-up it ran with, as text. */
  readonly setup: string;
  readonly verdict: CheckVerdict;
  readonly exitCode: number | null;
  readonly tail: string;
}

export interface ChecksRequest extends Omit<CheckPlace, 'workDir'> {
  /** Directory for checkouts; this call uses, empties and removes `verify-<runId>-<epoch>` in it. */
  readonly workRoot: string;
  /** Those without a check are passed over. All of the contract's, or those of one Action. */
  readonly criteria: readonly Criterion[];
  readonly knownBase: readonly BaseResult[];
  /** Version of the engine, for the receipts. */
  readonly engine: string;
}

export type ChecksResult =
  | {
      readonly kind: 'checked';
      readonly receipts: readonly Receipt[];
      /** Those that were not known before. */
      readonly baseResults: readonly BaseResult[];
    }
  /** The base's own set-up does not work: nothing can be said about the result. */
  | { readonly kind: 'setup_failed'; readonly exitCode: number | null; readonly log: StoredLog }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_started'; readonly detail: string };

const CHANGED_PATHS_MAX = 200;

/**
 * Runs checks on a result and on its base, in clean checkouts, and makes their receipts (D23). Ends within seconds
 * of the signal; no checkout is left. Rejects when git or the disk fails.
 */
export async function runChecks(request: ChecksRequest): Promise<ChecksResult> {
  const workDir = join(request.workRoot, `verify-${request.runId}-${request.epoch}`);
  await removeTree(workDir);
  await mkdir(workDir, { recursive: true });
  try {
    return await checkAll(request, { ...request, workDir });
  } finally {
    await removeTree(workDir);
  }
}

interface Bench {
  readonly request: ChecksRequest;
  readonly place: CheckPlace;
  readonly changed: readonly string[];
  readonly matters: ChangedMatters;
  readonly setupChanged: boolean;
  readonly baseSetup: SetupResult;
  readonly resultSetup: SetupResult;
}

async function checkAll(request: ChecksRequest, place: CheckPlace): Promise<ChecksResult> {
  const { source, setup, io } = place;
  const ownInputs = await setupChanged(source, setup);
  const baseSetup = await setupFor(place, 'base');
  // With inputs of its own the work may be what makes the set-up possible; then only the base stays unknown.
  if (baseSetup.kind === 'failed' && !ownInputs) return { ...baseSetup, kind: 'setup_failed' };
  if (baseSetup.kind === 'stopped' || baseSetup.kind === 'not_started') return baseSetup;
  const resultSetup = ownInputs ? await setupFor(place, 'result') : baseSetup;
  if (resultSetup.kind === 'stopped' || resultSetup.kind === 'not_started') return resultSetup;
  const changed = await source.changedPaths();
  const matters = await changedMatters(source, changed);
  const bench: Bench = { request, place, changed, matters, setupChanged: ownInputs, baseSetup, resultSetup };
  const receipts: Receipt[] = [];
  const baseResults: BaseResult[] = [];
  for (const criterion of request.criteria.filter(hasCheck)) {
    const answer = await checkOne(bench, criterion);
    if (answer.kind !== 'receipt') return answer;
    receipts.push(answer.receipt);
    if (answer.newBase) baseResults.push(answer.newBase);
  }
  return io.signal.aborted ? { kind: 'stopped' } : { kind: 'checked', receipts, baseResults };
}

type OneAnswer =
  | { readonly kind: 'receipt'; readonly receipt: Receipt; readonly newBase?: BaseResult }
  | Exclude<CheckAttempt, CheckRun>;

async function checkOne(bench: Bench, criterion: Checked): Promise<OneAnswer> {
  const known = bench.request.knownBase.find((result) => isBaseOf(bench, criterion, result));
  const { source } = bench.place;
  // Installed packages may differ where nothing else does.
  const sameState = source.hasBase && source.at('base') === source.at('result') && bench.changed.length === 0;
  const asked = known ?? (sameState ? undefined : await askBase(bench, criterion));
  if (asked !== undefined && 'kind' in asked) return asked;
  const run = await askResult(bench, criterion);
  if (run.kind !== 'ran') return run;
  const base = asked ?? (sameState ? baseResult(bench, criterion, run) : undefined);
  const receipt = await receiptOf(bench, criterion, run, base);
  return { kind: 'receipt', receipt, ...(base === undefined || base === known ? {} : { newBase: base }) };
}

function isBaseOf(bench: Bench, criterion: Checked, result: BaseResult): boolean {
  return (
    result.criterionId === criterion.id &&
    result.criterionVersion === criterion.version &&
    result.at === bench.place.source.at('base') &&
    result.setup === JSON.stringify(bench.place.setup ?? null)
  );
}

/** Undefined when the base run cannot be made. */
async function askBase(bench: Bench, criterion: Checked): Promise<BaseResult | { kind: 'stopped' } | undefined> {
  if (!bench.place.source.hasBase || bench.baseSetup.kind === 'failed') return undefined;
  const run = await runCheck(bench.place, criterion, 'base', bench.baseSetup);
  if (run.kind === 'stopped') return run;
  return run.kind === 'ran' && run.verdict !== 'killed' ? baseResult(bench, criterion, run) : undefined;
}

function baseResult(bench: Bench, criterion: Checked, run: CheckRun): BaseResult {
  return {
    criterionId: criterion.id,
    criterionVersion: criterion.version,
    at: bench.place.source.at('base'),
    setup: JSON.stringify(bench.place.setup ?? null),
    verdict: run.verdict,
    exitCode: run.exitCode,
    tail: run.log.tail,
  };
}

async function askResult(bench: Bench, criterion: Checked): Promise<CheckAttempt> {
  const { resultSetup, place } = bench;
  if (resultSetup.kind !== 'failed') return runCheck(place, criterion, 'result', resultSetup);
  const { exitCode, log } = resultSetup;
  return { kind: 'ran', verdict: 'setup_failed', exitCode, durationMs: 0, log, restored: [], replaced: [] };
}

async function receiptOf(
  bench: Bench,
  criterion: Checked,
  run: CheckRun,
  base: BaseResult | undefined,
): Promise<Receipt> {
  const { place, request } = bench;
  const own = mattersOf(criterion, bench.matters, bench.changed, place.source.subdirectory);
  const scripts = [...new Set([...own.scripts, ...run.replaced])];
  const paths = [...new Set([...run.restored, ...own.tests, ...scripts])];
  const diffHash = await storeDiff(place, paths);
  return {
    criterionId: criterion.id,
    criterionVersion: criterion.version,
    verdict: run.verdict,
    command: criterion.check.run,
    at: place.source.at('result'),
    exitCode: run.exitCode,
    durationMs: run.durationMs,
    ...(base === undefined ? {} : { base: { verdict: base.verdict, exitCode: base.exitCode, tail: base.tail } }),
    log: { ...run.log, tail: run.log.tail.slice(-OUTCOME_LIMITS.tailChars) },
    flags: flagsOf(bench, run, base, { tests: own.tests, scripts }),
    changed: paths.slice(0, CHANGED_PATHS_MAX),
    ...(diffHash === undefined ? {} : { diffHash }),
    engine: request.engine,
  };
}

function flagsOf(bench: Bench, run: CheckRun, base: BaseResult | undefined, matters: ChangedMatters): ReceiptFlag[] {
  const { source, confinement } = bench.place;
  const passed = run.verdict === 'passed';
  const wanted: readonly (readonly [ReceiptFlag, boolean])[] = [
    ['red_to_green', passed && base !== undefined && base.verdict !== 'passed'],
    ['already_green', passed && base?.verdict === 'passed'],
    ['base_unknown', base === undefined],
    ['protected_restored', run.restored.length > 0],
    ['tests_changed', matters.tests.length > 0],
    ['script_changed', matters.scripts.length > 0],
    ['setup_changed', bench.setupChanged],
    ['not_sandboxed', confinement.enforcement.sandbox === 'none'],
    ['in_place', source.inPlace !== undefined],
  ];
  return wanted.filter(([, holds]) => holds).map(([flag]) => flag);
}

async function storeDiff(place: CheckPlace, paths: readonly string[]): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  const diff = await place.source.diff(paths);
  if (diff === '') return undefined;
  const { hash } = await place.io.putContent(Buffer.from(redact(diff, place.confinement.secrets)));
  return hash;
}
