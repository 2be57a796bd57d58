import type { Check, Contract, Criterion, Delivery, Setup, WorkspacePolicy } from '../../core/model/contract.ts';
import { titleOf, worded } from '../../text/worded.ts';
import { durationSec } from '../read/duration.ts';
import { type CriterionEntry, PLAN_DEFAULTS, type PlanDocument } from '../read/schema.ts';
import { setupInputs } from './setup-inputs.ts';

export interface ContractContext {
  /** Canonical path of the project directory. */
  readonly directory: string;
  readonly workspace: WorkspacePolicy;
  /** The branch that is checked out, for a merge or a pull request that names none. */
  readonly defaultBranch?: string | undefined;
  /** Whether the project has this file (relative path); inputs of a set-up that it has not are left out. */
  readonly exists?: ((path: string) => boolean) | undefined;
}

type SetupEntry = NonNullable<PlanDocument['setup']>;
type CheckEntry = NonNullable<Exclude<CriterionEntry, string>['check']>;

export const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

/** Seconds of a value that the schema has passed. */
export const secondsOf = (value: number | string | undefined, fallbackSec: number): number =>
  value === undefined ? fallbackSec : (durationSec(value) ?? fallbackSec);

function compileSetup(entry: SetupEntry, exists: (path: string) => boolean): Setup {
  const { run, inputs, network, timeoutSec } = typeof entry === 'string' ? { run: entry } : { ...entry };
  return {
    run,
    inputs: inputs === undefined ? setupInputs(run, exists) : listOf(inputs),
    network: network ?? 'all',
    timeoutSec: secondsOf(timeoutSec, PLAN_DEFAULTS.setupTimeoutSec),
  };
}

function compileCheck(entry: CheckEntry): Check {
  const check = typeof entry === 'string' ? { run: entry } : entry;
  return {
    run: check.run,
    ...(check.cwd === undefined ? {} : { cwd: check.cwd }),
    ...(check.env === undefined ? {} : { env: check.env }),
    timeoutSec: secondsOf(check.timeoutSec, PLAN_DEFAULTS.checkTimeoutSec),
    expectExit: check.expectExit ?? 0,
    ...(check.expectOutput === undefined ? {} : { expectOutput: check.expectOutput }),
    protect: listOf(check.protect),
    network: check.network ?? 'loopback',
  };
}

function compileCriterion(entry: CriterionEntry, index: number): Criterion {
  const { id, text, check, minProof } = typeof entry === 'string' ? { text: entry } : entry;
  return {
    id: id ?? `c${index + 1}`,
    version: 1,
    text: worded(text),
    ...(check === undefined ? {} : { check: compileCheck(check) }),
    minProof: minProof ?? (check === undefined ? 'self' : 'machine'),
  };
}

function compileDelivery(entry: PlanDocument['delivery'], defaultBranch: string | undefined): Delivery {
  const { target, branch } = typeof entry === 'object' ? entry : { target: entry ?? 'workspace_files' };
  const goesIntoBranch = target === 'merge' || target === 'pull_request';
  const named = branch ?? (goesIntoBranch ? defaultBranch : undefined);
  return { target, ...(named === undefined ? {} : { branch: named }) };
}

/** The contract of a plan (D6, D23, D25). Rules are checked by the core, not here. */
export function compileContract(document: PlanDocument, context: ContractContext): Contract {
  const { goal, title, instructions, setup } = document;
  return {
    title: title === undefined ? titleOf(goal) : worded(title),
    goal: worded(goal),
    criteria: document.criteria.map(compileCriterion),
    ...(setup === undefined ? {} : { setup: compileSetup(setup, context.exists ?? (() => true)) }),
    delivery: compileDelivery(document.delivery, context.defaultBranch),
    ...(instructions === undefined ? {} : { instructions: instructions.trim() }),
    directory: context.directory,
    workspace: context.workspace,
  };
}
