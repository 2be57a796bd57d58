import type { Base, Contract, WorkspacePolicy } from '../../core/model/contract.ts';
import { DEFAULT_LIMITS, type Limits, type Plan } from '../../core/model/item.ts';
import { contractProblems, type Problem } from '../../core/rules/contract-rules.ts';
import { type PlannedAction, planProblems } from '../../core/rules/plan-rules.ts';
import { didYouMean } from '../problems/did-you-mean.ts';
import { locate, orderProblems, type Places, type PlanProblem, planProblem } from '../problems/problem.ts';
import { durationSec } from '../read/duration.ts';
import type { PlanFile } from '../read/plan-file.ts';
import { PLAN_DEFAULTS, type PlanDocument } from '../read/schema.ts';
import { compileActions } from './compile-actions.ts';
import { type ContractContext, compileContract } from './compile-contract.ts';
import { fileProblems, type KnownVps } from './file-rules.ts';

export interface CompileContext extends Omit<ContractContext, 'workspace'> {
  readonly base: Base;
  /** The policy of a plan that names none: `isolated` in a git repository, else `in-place` (D29). */
  readonly workspaceDefault: WorkspacePolicy;
  /** Overrules the plan: what a person chose for a dirty directory (D30). */
  readonly workspaceChosen?: WorkspacePolicy;
  /** What `~/` stands for in the paths of a sandbox; without it such paths are refused. */
  readonly userHome?: string;
  /** Those that Actions may name; without them a VP that is not there shows at its Run (`assignment_unresolved`). */
  readonly vps?: KnownVps;
  /** What models may use where the plan does not say; a plan without VPs asks none. */
  readonly modelLimits?: ModelLimits;
}

export type ModelLimits = Pick<Limits, 'requests' | 'tokens' | 'runRequests' | 'costMicros' | 'allowUnmetered'>;

const MICROS_PER_DOLLAR = 1_000_000;

/** What `CreateItem` needs besides the base and whether to start. */
export interface CompiledPlan {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly actions: readonly PlannedAction[];
}

export type CompileResult =
  | ({ readonly ok: true } & CompiledPlan)
  | { readonly ok: false; readonly problems: readonly PlanProblem[] };

/** What to do about uncommitted work in the directory (D30): the user chooses, nothing is ever moved. */
export type DirtyPolicy = 'refuse' | 'snapshot' | 'in-place';

/** The workspace policy a plan asks for, and what it says about uncommitted changes. */
export function workspaceOf(
  plan: Pick<PlanFile, 'document'>,
  workspaceDefault: WorkspacePolicy,
): { readonly policy: WorkspacePolicy; readonly dirty: DirtyPolicy } {
  const { workspace } = plan.document;
  const { policy, dirty } = typeof workspace === 'object' ? workspace : { policy: workspace };
  return { policy: policy ?? workspaceDefault, dirty: dirty ?? 'refuse' };
}

function modelLimitsOf({ budget = {}, actions }: PlanDocument, defaults: ModelLimits): ModelLimits {
  const { requests, tokens, runRequests, usd, allowUnmetered } = budget;
  const usual = actions.some(({ vp }) => vp !== undefined) ? defaults : DEFAULT_LIMITS;
  return {
    requests: requests ?? usual.requests,
    tokens: tokens ?? usual.tokens,
    runRequests: runRequests ?? usual.runRequests,
    costMicros: usd === undefined ? usual.costMicros : Math.round(usd * MICROS_PER_DOLLAR),
    allowUnmetered: allowUnmetered ?? usual.allowUnmetered,
  };
}

function limitsOf(document: PlanDocument, defaults: ModelLimits = DEFAULT_LIMITS): Limits {
  const { wallClock, attempts } = document.budget ?? {};
  const asked = document.actions.map((action) => action.maxAttempts ?? 0);
  return {
    ...DEFAULT_LIMITS,
    ...modelLimitsOf(document, defaults),
    wallClockSec: wallClock === undefined ? null : (durationSec(wallClock) ?? null),
    // Without a limit of its own, the plan's is as wide as what its Actions ask for.
    attempts: attempts ?? Math.max(PLAN_DEFAULTS.attempts, ...asked),
  };
}

/** Where a problem of the core really stands in the file, and what may help. */
function refine(problem: Problem, actions: readonly PlannedAction[], document: PlanDocument): string {
  if (problem.path === 'actions' && problem.expected.includes('cycle')) {
    const first = problem.found.split(' → ')[0];
    return `actions[${actions.findIndex(({ id }) => id === first)}].dependsOn`;
  }
  const [, index, list] = /^actions\[(\d+)\]\.(dependsOn|for)$/.exec(problem.path) ?? [];
  if (list !== 'dependsOn' && list !== 'for') return problem.path;
  const entries = document.actions[Number(index)]?.[list];
  const at = Array.isArray(entries) ? entries.indexOf(problem.found) : -1;
  return at < 0 ? problem.path : `${problem.path}[${at}]`;
}

function placed(
  problem: Problem,
  places: Places,
  actions: readonly PlannedAction[],
  document: PlanDocument,
): PlanProblem {
  const path = refine(problem, actions, document);
  const names = /^one of (.+)$/.exec(problem.expected)?.[1]?.split(', ') ?? [];
  const meant = didYouMean(problem.found, names);
  const hint = meant === undefined ? undefined : `Did you mean ${meant}?`;
  return planProblem(locate(places, path, 'value'), { ...problem, path, hint });
}

/** Turns a plan into what `CreateItem` takes, or says everything that the rules of the core refuse (D3, D22). */
export function compilePlan(plan: PlanFile, context: CompileContext): CompileResult {
  const { document, places } = plan;
  const workspace = context.workspaceChosen ?? workspaceOf(plan, context.workspaceDefault).policy;
  const contract = compileContract(document, { ...context, workspace });
  const limits = limitsOf(document, context.modelLimits);
  const attempts = document.budget?.attempts ?? PLAN_DEFAULTS.attempts;
  const { userHome, vps } = context;
  const checked = contract.criteria.filter((criterion) => criterion.check).map((criterion) => criterion.id);
  const actions = compileActions({ document, workspace, attempts, checked, userHome });
  const found = [
    ...fileProblems(document, { workspace, isGit: context.base.kind === 'git', limits, vps, userHome }),
    ...contractProblems(contract),
    ...planProblems(contract, actions),
  ];
  if (found.length > 0) {
    return { ok: false, problems: orderProblems(found.map((one) => placed(one, places, actions, document))) };
  }
  const linear = document.order === 'linear';
  return {
    ok: true,
    contract,
    plan: linear ? { kind: 'linear', template: 'file' } : { kind: 'graph', planner: 'file' },
    limits,
    actions,
  };
}
