import type { ActionSpec, Brief, ExecutorSpec, SandboxSpec, WorkspaceMode } from '../../core/model/action.ts';
import type { WorkspacePolicy } from '../../core/model/contract.ts';
import type { PlannedAction } from '../../core/rules/plan-rules.ts';
import { type ActionEntry, PLAN_DEFAULTS, type PlanDocument } from '../read/schema.ts';
import { listOf, secondsOf } from './compile-contract.ts';
import { programName } from './program-name.ts';

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}

/** Ids of all Actions: what the file says, else made of the name, else `a1`, `a2`; made ones never collide. */
function idsOf(actions: readonly ActionEntry[]): readonly string[] {
  const taken = new Set(actions.flatMap((action) => action.id ?? []));
  return actions.map((action, index) => {
    if (action.id !== undefined) return action.id;
    const stem = slug(action.name ?? '') || `a${index + 1}`;
    let id = stem;
    for (let count = 2; taken.has(id); count += 1) id = `${stem}-${count}`;
    taken.add(id);
    return id;
  });
}

function compileBrief(entry: ActionEntry['brief'], name: string): Brief {
  if (entry === undefined || typeof entry === 'string') return { objective: (entry ?? name).trim() };
  const { objective, approach, expectedOutcome } = entry;
  return {
    objective: objective.trim(),
    ...(approach === undefined ? {} : { approach: approach.trim() }),
    ...(expectedOutcome === undefined ? {} : { expectedOutcome: expectedOutcome.trim() }),
  };
}

/** Why it is this VP, where nobody chose among several. */
const ASSIGNED = 'fixed by the plan file';

function compileExecutor({ run, vp, model, identity }: ActionEntry): ExecutorSpec {
  if (run !== undefined) return { kind: 'command', run, identity: identity?.trim() ?? programName(run) };
  if (vp === undefined) throw new Error('the schema lets no Action pass without run and vp');
  return { kind: 'agent', vp, assigned: ASSIGNED, ...(model === undefined ? {} : { model }) };
}

/** A command may be an agent that has to reach its provider; for a VP the engine does that. */
function compileSandbox({ sandbox: own, vp }: ActionEntry, { document, userHome }: ActionContext): SandboxSpec {
  const defaults = document.sandbox;
  const paths = (value: string | readonly string[] | undefined): readonly string[] =>
    listOf(value).map((path) => (userHome === undefined ? path : path.replace(/^~(?=\/)/, () => userHome)));
  return {
    network: own?.network ?? defaults?.network ?? (vp === undefined ? 'all' : 'loopback'),
    readable: paths(own?.readable ?? defaults?.readable),
    writable: paths(own?.writable ?? defaults?.writable),
  };
}

/** In place there is one directory, so what would have a clone of its own shares it (D29). */
function modeOf(entry: ActionEntry, policy: WorkspacePolicy): WorkspaceMode {
  const mode = entry.workspace ?? 'isolated-write';
  return policy === 'in-place' && mode === 'isolated-write' ? 'shared' : mode;
}

interface ActionContext {
  readonly document: PlanDocument;
  readonly workspace: WorkspacePolicy;
  readonly attempts: number;
  /** Criteria with a check. The only Action of a plan is for them unless it says otherwise: who else could be? */
  readonly checked: readonly string[];
  readonly userHome?: string | undefined;
}

function compileSpec(entry: ActionEntry, id: string, before: string | undefined, context: ActionContext): ActionSpec {
  const { document, workspace, attempts } = context;
  const name = entry.name?.trim() ?? id;
  const alone = document.actions.length === 1;
  const chained = document.order === 'linear' && before !== undefined ? [before] : [];
  return {
    type: entry.type ?? PLAN_DEFAULTS.type,
    name,
    brief: compileBrief(entry.brief, name),
    for: entry.for === undefined && alone ? context.checked : listOf(entry.for),
    dependsOn: entry.dependsOn === undefined ? chained : listOf(entry.dependsOn),
    workspace: modeOf(entry, workspace),
    executor: compileExecutor(entry),
    effects: entry.effects ?? 'none',
    env: entry.env ?? {},
    timeoutSec: secondsOf(entry.timeoutSec, PLAN_DEFAULTS.actionTimeoutSec),
    silenceSec: secondsOf(entry.silenceSec, PLAN_DEFAULTS.silenceSec),
    maxAttempts: entry.maxAttempts ?? attempts,
    sandbox: compileSandbox(entry, context),
  };
}

/** The Actions of a plan in the order of the file; dependencies may point either way (D3). */
export function compileActions(context: ActionContext): readonly PlannedAction[] {
  const { actions } = context.document;
  const ids = idsOf(actions);
  return actions.flatMap((entry, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ id, spec: compileSpec(entry, id, ids[index - 1], context) }];
  });
}
