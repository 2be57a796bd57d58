import type { Context } from '../command.ts';
import { isVerify } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { canonical } from '../identity.ts';
import { type ActionState, type Contract, type Criterion, type ItemState, isUnfinished } from '../model/index.ts';
import { reject } from '../rejection.ts';
import { contractProblems, sayProblems } from '../rules/contract-rules.ts';
import { endRunOf } from './end-run.ts';
import { type Answer, type Handlers, landingInProgress, refused } from './handler.ts';

/** Criterion versions are the engine's to count: an edited one is one higher, an untouched one stays (D6). */
export function versioned({ contract: old, claims }: ItemState, next: Contract): Contract {
  const before = new Map(old.criteria.map((criterion) => [criterion.id, criterion]));
  // An id that comes back must not meet what was once said about its namesake.
  const said = (id: string) => claims.flatMap((claim) => (claim.criterionId === id ? [claim.criterionVersion] : []));
  const criteria = next.criteria.map((criterion): Criterion => {
    const known = before.get(criterion.id);
    if (!known) return { ...criterion, version: Math.max(0, ...said(criterion.id)) + 1 };
    const same = canonical({ ...criterion, version: known.version }) === canonical(known);
    return { ...criterion, version: same ? known.version : known.version + 1 };
  });
  return { ...next, criteria };
}

const PARTS = ['title', 'goal', 'setup', 'delivery', 'instructions', 'directory', 'workspace'] as const;

/** Names of the parts that differ; `criterion:<id>` for each criterion. */
export function changedParts(old: Contract, next: Contract): readonly string[] {
  const fields = PARTS.filter((part) => canonical(old[part] ?? null) !== canonical(next[part] ?? null));
  const ids = new Set([...old.criteria, ...next.criteria].map(({ id }) => id));
  const version = ({ criteria }: Contract, wanted: string) => criteria.find(({ id }) => id === wanted)?.version;
  const criteria = [...ids].filter((id) => version(old, id) !== version(next, id)).map((id) => `criterion:${id}`);
  return [...fields, ...criteria];
}

const TOUCHES_WORK: ReadonlySet<string> = new Set(['goal', 'instructions', 'setup']);
const TOUCHES_PROOF: ReadonlySet<string> = new Set(['goal', 'setup']);

/** Only unfinished Actions that cite what changed are superseded (D6). */
function isTouched(action: ActionState, changed: readonly string[]): boolean {
  if (!isUnfinished(action.status)) return false;
  if (isVerify(action)) return changed.some((part) => part !== 'title' && part !== 'delivery');
  return changed.some((part) => TOUCHES_WORK.has(part) || action.spec.for.some((id) => part === `criterion:${id}`));
}

/** The goal and the set-up are behind every proof; editing them makes all of it stale (D6). */
function withFreshCriteria(contract: Contract, changed: readonly string[]): Contract {
  if (!changed.some((part) => TOUCHES_PROOF.has(part))) return contract;
  const bump = (criterion: Criterion): Criterion =>
    changed.includes(`criterion:${criterion.id}`) ? criterion : { ...criterion, version: criterion.version + 1 };
  return { ...contract, criteria: contract.criteria.map(bump) };
}

const EDITED = { status: 'superseded', code: 'contract_edited', actionStatus: 'superseded' } as const;

function supersede(state: ItemState, action: ActionState, ctx: Context): readonly EventBody[] {
  const run = endRunOf(state, action, EDITED, ctx);
  return run.length > 0 ? run : [{ type: 'ActionRetired', actionId: action.id, as: 'superseded' }];
}

/** A person's word, or one they confirmed: the contract changes, and what cites the changed parts is superseded (D6). */
export function contractEdit(state: ItemState, next: Contract, ctx: Context): Answer {
  const { id, lifecycle, contract: old } = state;
  if (lifecycle !== 'open' && lifecycle !== 'draft') return reject('item_ended', `Item ${id} is ${lifecycle}.`);
  const busy = landingInProgress(state);
  if (busy) return busy;
  const versions = versioned(state, next);
  const changed = changedParts(old, versions);
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
  return [{ type: 'ContractEdited', contract, changed }, ...touched.flatMap((action) => supersede(state, action, ctx))];
}

/** A person's edit, against the version that was read (FENCE-4). Lifecycle never changes by it. */
export const EDIT_HANDLERS: Handlers<'EditContract'> = {
  EditContract(state, body, ctx) {
    const edit = contractEdit(state, body.contract, ctx);
    if (refused(edit) && edit.code !== 'nothing_changed' && edit.code !== 'invalid_contract') return edit;
    if (body.contractVersion === state.contractVersion) return edit;
    const expected = `contract version ${body.contractVersion}`;
    const more = { expected, found: `${state.contractVersion}`, next: `workcenter show ${state.id}` };
    return reject('contract_version_stale', 'The contract changed since you read it.', more);
  },
};
