import type { Context } from '../command.ts';
import { isVerify } from '../derive/graph.ts';
import type { EventBody } from '../event.ts';
import { canonical } from '../identity.ts';
import { type ActionState, isUnfinished } from '../model/action.ts';
import type { Contract, Criterion } from '../model/contract.ts';
import type { ItemState } from '../model/item.ts';
import { reject } from '../rejection.ts';
import { contractProblems, sayProblems } from '../rules/contract-rules.ts';
import { endRun } from './end-run.ts';
import { type Handler, landingInProgress } from './handler.ts';

/** Criterion versions are the engine's to count: an edited one is one higher, an untouched one stays (D6). */
function versioned({ contract: old, claims }: ItemState, next: Contract): Contract {
  const before = new Map(old.criteria.map((criterion) => [criterion.id, criterion]));
  // An id that comes back must not meet what was once said about its namesake.
  const said = (id: string) =>
    claims.filter((claim) => claim.criterionId === id).map((claim) => claim.criterionVersion);
  const criteria = next.criteria.map((criterion): Criterion => {
    const known = before.get(criterion.id);
    if (!known) return { ...criterion, version: Math.max(0, ...said(criterion.id)) + 1 };
    const same = canonical({ ...criterion, version: known.version }) === canonical(known);
    return { ...criterion, version: same ? known.version : known.version + 1 };
  });
  return { ...next, criteria };
}

/** Names of the parts that differ; `criterion:<id>` for each criterion. */
function changedParts(old: Contract, next: Contract): readonly string[] {
  const parts = ['title', 'goal', 'setup', 'delivery', 'instructions', 'directory', 'workspace'] as const;
  const fields = parts.filter((part) => canonical(old[part] ?? null) !== canonical(next[part] ?? null));
  const ids = new Set([...old.criteria, ...next.criteria].map((criterion) => criterion.id));
  const version = (contract: Contract, id: string) => contract.criteria.find((c) => c.id === id)?.version;
  const criteria = [...ids].filter((id) => version(old, id) !== version(next, id)).map((id) => `criterion:${id}`);
  return [...fields, ...criteria];
}

const TOUCHES_ALL: ReadonlySet<string> = new Set(['goal', 'instructions', 'directory', 'setup']);

/** Only unfinished Actions that cite what changed are superseded (D6). */
function isTouched(action: ActionState, changed: readonly string[]): boolean {
  if (!isUnfinished(action.status)) return false;
  if (isVerify(action)) return changed.some((part) => part !== 'title' && part !== 'delivery');
  return changed.some((part) => TOUCHES_ALL.has(part) || action.spec.for.some((id) => part === `criterion:${id}`));
}

function supersede(state: ItemState, action: ActionState, ctx: Context): EventBody {
  const run = state.runs.find((live) => live.id === action.runId);
  if (run)
    return endRun(state, run, { status: 'superseded', code: 'contract_edited', actionStatus: 'superseded' }, ctx);
  return { type: 'ActionRetired', actionId: action.id, as: 'superseded' };
}

/** The goal or the directory is behind every proof; editing them makes all of it stale (D6). */
function withFreshCriteria(contract: Contract, changed: readonly string[]): Contract {
  if (!changed.some((part) => part === 'goal' || part === 'directory' || part === 'setup')) return contract;
  const bump = (criterion: Criterion): Criterion =>
    changed.includes(`criterion:${criterion.id}`) ? criterion : { ...criterion, version: criterion.version + 1 };
  return { ...contract, criteria: contract.criteria.map(bump) };
}

/** A person's edit, against the version that was read (FENCE-4). Lifecycle never changes by it. */
export const editContract: Handler<'EditContract'> = (state, body, ctx) => {
  if (state.lifecycle !== 'open' && state.lifecycle !== 'draft') {
    return reject('item_ended', `Item ${state.id} is ${state.lifecycle}.`, { found: state.lifecycle });
  }
  const busy = landingInProgress(state);
  if (busy) return busy;
  if (body.contractVersion !== state.contractVersion) {
    return reject('contract_version_stale', 'The contract changed since you read it.', {
      expected: `contract version ${body.contractVersion}`,
      found: String(state.contractVersion),
      next: `workcenter show ${state.id}`,
    });
  }
  const versions = versioned(state, body.contract);
  const changed = changedParts(state.contract, versions);
  if (changed.length === 0) return reject('nothing_changed', 'The contract says this already.');
  if (changed.includes('directory') || changed.includes('workspace')) {
    return reject('invalid_contract', 'The directory of an item that exists cannot change.', {
      next: 'Create a new item there.',
    });
  }
  const wrong = contractProblems(versions);
  if (wrong.length > 0) return reject('invalid_contract', sayProblems(wrong));
  const contract = withFreshCriteria(versions, changed);
  const touched = state.actions.filter((action) => isTouched(action, changed));
  return [{ type: 'ContractEdited', contract, changed }, ...touched.map((action) => supersede(state, action, ctx))];
};
