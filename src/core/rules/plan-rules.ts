import type { PlannedAction } from '../command.ts';

import { ACTION_LIMITS, isWriter } from '../model/action.ts';
import type { Contract, Criterion } from '../model/contract.ts';
import { isWholeWithin, type Problem } from './contract-rules.ts';

export type { PlannedAction };

const problem = (path: string, expected: string, found: string): Problem => ({ path, expected, found });

/** Ids of all that `id` builds on. Cycles end the walk; they are reported by `cycleProblems`. */
function ancestors(actions: readonly PlannedAction[], id: string): ReadonlySet<string> {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const found = new Set<string>();
  const queue = [...(byId.get(id)?.spec.dependsOn ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(byId.get(next)?.spec.dependsOn ?? []));
  }
  return found;
}

function shapeProblems(action: PlannedAction, index: number): readonly Problem[] {
  const { id, spec } = action;
  const path = `actions[${index}]`;
  const found: Problem[] = [];
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id))
    found.push(problem(`${path}.id`, 'lower-case letters, digits, - and _', id));
  if (id.startsWith('verify-')) found.push(problem(`${path}.id`, 'a name not kept for the engine', id));
  if (spec.brief.objective.trim() === '') found.push(problem(`${path}.brief`, 'an objective', 'nothing'));
  if (!isWholeWithin(spec.maxAttempts, 1, ACTION_LIMITS.maxAttempts)) {
    found.push(problem(`${path}.maxAttempts`, `1..${ACTION_LIMITS.maxAttempts}`, String(spec.maxAttempts)));
  }
  if (!isWholeWithin(spec.timeoutSec, 1, ACTION_LIMITS.timeoutMaxSec)) {
    found.push(problem(`${path}.timeoutSec`, `1..${ACTION_LIMITS.timeoutMaxSec}`, String(spec.timeoutSec)));
  }
  if (!isWholeWithin(spec.silenceSec, 0, ACTION_LIMITS.timeoutMaxSec)) {
    found.push(problem(`${path}.silenceSec`, `0..${ACTION_LIMITS.timeoutMaxSec}`, String(spec.silenceSec)));
  }
  const { executor } = spec;
  const line = executor.kind === 'command' ? [executor.run].flat().join(' ') : '';
  if (line.trim() === '') found.push(problem(`${path}.run`, 'a command', 'nothing'));
  return found;
}

function referenceProblems(
  action: PlannedAction,
  index: number,
  ids: ReadonlySet<string>,
  criteria: ReadonlySet<string>,
): readonly Problem[] {
  const path = `actions[${index}]`;
  const unknownActions = action.spec.dependsOn.filter((id) => !ids.has(id));
  const unknownCriteria = action.spec.for.filter((id) => !criteria.has(id));
  return [
    ...unknownActions.map((id) => problem(`${path}.dependsOn`, `one of ${[...ids].join(', ')}`, id)),
    ...unknownCriteria.map((id) => problem(`${path}.for`, `one of ${[...criteria].join(', ')}`, id)),
  ];
}

/** A cycle would wait for itself for ever (D3). */
function cycleProblems(actions: readonly PlannedAction[]): readonly Problem[] {
  const circular = actions.filter((action) => ancestors(actions, action.id).has(action.id)).map(({ id }) => id);
  return circular.length === 0 ? [] : [problem('actions', 'dependencies without a cycle', circular.join(' → '))];
}

/** An integrate Action resolves what others wrote, so it depends on at least one writer (D3). */
function integrateProblems(actions: readonly PlannedAction[]): readonly Problem[] {
  const writers = new Set(actions.filter((action) => isWriter(action.spec)).map((action) => action.id));
  return actions.flatMap((action, index) =>
    action.spec.workspace === 'integrate' && !action.spec.dependsOn.some((id) => writers.has(id))
      ? [problem(`actions[${index}].dependsOn`, 'the Actions whose results are integrated', 'none that writes')]
      : [],
  );
}

/** Whether any claim on `criterion` could still be fresh at the end: nothing that builds on the claimer writes. */
function couldProve(actions: readonly PlannedAction[], criterion: Criterion): boolean {
  return actions.some((claimer) => {
    if (!claimer.spec.for.includes(criterion.id)) return false;
    if (criterion.minProof === 'independent' && isWriter(claimer.spec)) return false;
    return !actions.some((other) => isWriter(other.spec) && ancestors(actions, other.id).has(claimer.id));
  });
}

/** A criterion that nothing could prove is refused now, not discovered in the morning (D22). */
function provabilityProblems(contract: Contract, actions: readonly PlannedAction[]): readonly Problem[] {
  return contract.criteria.flatMap((criterion, index) => {
    if (criterion.check || couldProve(actions, criterion)) return [];
    const cited = actions.some((action) => action.spec.for.includes(criterion.id));
    const found = cited ? 'only claims that later writing makes stale, or by the writer itself' : 'neither';
    const expected = 'a check, or an Action that is `for` it with no later writer';
    return [problem(`criteria[${index}]`, expected, found)];
  });
}

/** A coordinated item starts without Actions: its Coordinator makes them (D1). */
export const coordinatedProblems = (actions: readonly PlannedAction[]): readonly Problem[] =>
  actions.length === 0 ? [] : [problem('actions', 'none, for a Coordinator to make', `${actions.length}`)];

/** Everything wrong with a planned set of Actions, all at once (D3, chapter 2 §5.4). */
export function planProblems(contract: Contract, actions: readonly PlannedAction[]): readonly Problem[] {
  const found: Problem[] = [];
  if (!isWholeWithin(actions.length, 1, ACTION_LIMITS.perItem)) {
    found.push(problem('actions', `1..${ACTION_LIMITS.perItem}`, String(actions.length)));
  }
  const ids = new Set<string>();
  const criteria = new Set(contract.criteria.map((criterion) => criterion.id));
  actions.forEach((action, index) => {
    if (ids.has(action.id)) found.push(problem(`actions[${index}].id`, 'an id of its own', `${action.id} again`));
    ids.add(action.id);
  });
  actions.forEach((action, index) => {
    found.push(...shapeProblems(action, index), ...referenceProblems(action, index, ids, criteria));
  });
  return [
    ...found,
    ...cycleProblems(actions),
    ...integrateProblems(actions),
    ...provabilityProblems(contract, actions),
  ];
}
