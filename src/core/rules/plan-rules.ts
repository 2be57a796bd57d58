import type { PlannedAction } from '../command.ts';
import { ACTION_LIMITS, type Contract, type Criterion, isWriter } from '../model/index.ts';
import { type Problem, unless, within } from './problem.ts';

export type { PlannedAction };

type Planned = readonly PlannedAction[];

/** Ids of all that `id` builds on. Cycles end the walk; they are reported by `cycleProblems`. */
function ancestors(actions: Planned, id: string): ReadonlySet<string> {
  const below = new Map(actions.map((action) => [action.id, action.spec.dependsOn]));
  const found = new Set<string>();
  const queue = [...(below.get(id) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(below.get(next) ?? []));
  }
  return found;
}

/** What is wrong with one Action by itself. */
export function shapeProblems({ id, spec }: PlannedAction, at: number, all: Planned): readonly Problem[] {
  const path = `actions[${at}]`;
  const line = spec.executor.kind === 'command' ? [spec.executor.run].flat().join(' ') : '';
  const isNew = all.findIndex((action) => action.id === id) === at;
  return [
    ...unless(isNew, `${path}.id`, 'an id of its own', `${id} again`),
    ...unless(/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id), `${path}.id`, 'lower-case letters, digits, - and _', id),
    ...unless(!id.startsWith('verify-'), `${path}.id`, 'a name not kept for the engine', id),
    ...unless(spec.brief.objective.trim() !== '', `${path}.brief`, 'an objective', 'nothing'),
    ...within(spec.maxAttempts, 1, ACTION_LIMITS.maxAttempts, `${path}.maxAttempts`),
    ...within(spec.timeoutSec, 1, ACTION_LIMITS.timeoutMaxSec, `${path}.timeoutSec`),
    ...within(spec.silenceSec, 0, ACTION_LIMITS.timeoutMaxSec, `${path}.silenceSec`),
    ...unless(spec.executor.kind === 'agent' || line.trim() !== '', `${path}.run`, 'a command', 'nothing'),
  ];
}

const unknownAmong = (used: readonly string[], known: readonly string[], path: string): readonly Problem[] =>
  used.flatMap((id) => unless(known.includes(id), path, `one of ${known.join(', ')}`, id));

function referenceProblems({ spec }: PlannedAction, at: number, all: Planned, { criteria }: Contract) {
  const known = { dependsOn: all.map(({ id }) => id), for: criteria.map(({ id }) => id) };
  const parts = ['dependsOn', 'for'] as const;
  return parts.flatMap((part) => unknownAmong(spec[part], known[part], `actions[${at}].${part}`));
}

/** A cycle would wait for itself for ever (D3). */
function cycleProblems(actions: Planned): readonly Problem[] {
  const circular = actions.filter(({ id }) => ancestors(actions, id).has(id)).map(({ id }) => id);
  return unless(circular.length === 0, 'actions', 'dependencies without a cycle', circular.join(' → '));
}

/** An integrate Action resolves what others wrote, so it depends on at least one writer (D3). */
function integrateProblems({ spec }: PlannedAction, at: number, all: Planned): readonly Problem[] {
  const resolves = all.some((other) => isWriter(other.spec) && spec.dependsOn.includes(other.id));
  const path = `actions[${at}].dependsOn`;
  return unless(spec.workspace !== 'integrate' || resolves, path, 'the Actions to be integrated', 'none that writes');
}

/** Whether any claim on `criterion` could still be fresh at the end: nothing that builds on the claimer writes. */
function couldProve(actions: Planned, criterion: Criterion): boolean {
  return actions.some((claimer) => {
    if (!claimer.spec.for.includes(criterion.id)) return false;
    if (criterion.minProof === 'independent' && isWriter(claimer.spec)) return false;
    return !actions.some((other) => isWriter(other.spec) && ancestors(actions, other.id).has(claimer.id));
  });
}

/** A criterion that nothing could prove is refused now, not discovered in the morning (D22). */
function provabilityProblems(criterion: Criterion, at: number, actions: Planned): readonly Problem[] {
  const cited = actions.some((action) => action.spec.for.includes(criterion.id));
  const found = cited ? 'only claims that later writing makes stale, or by the writer itself' : 'neither';
  const expected = 'a check, or an Action that is `for` it with no later writer';
  return unless(criterion.check !== undefined || couldProve(actions, criterion), `criteria[${at}]`, expected, found);
}

/** A coordinated item starts without Actions: its Coordinator makes them (D1). */
export const coordinatedProblems = (actions: Planned): readonly Problem[] =>
  unless(actions.length === 0, 'actions', 'none, for a Coordinator to make', `${actions.length}`);

/** Only a Coordinator may have a VP made, as an explicit deliverable (C6, D34). */
const noVpIsMade = ({ spec }: PlannedAction, at: number): readonly Problem[] =>
  unless(spec.type !== 'create_vp', `actions[${at}].type`, 'work that a plan may ask for', 'create_vp');

/** Everything wrong with a planned set of Actions, all at once (D3, chapter 2 §5.4). */
export const planProblems = (contract: Contract, actions: Planned): readonly Problem[] => [
  ...within(actions.length, 1, ACTION_LIMITS.perItem, 'actions'),
  ...actions.flatMap((action, at) => [
    ...shapeProblems(action, at, actions),
    ...referenceProblems(action, at, actions, contract),
    ...integrateProblems(action, at, actions),
    ...noVpIsMade(action, at),
  ]),
  ...cycleProblems(actions),
  ...contract.criteria.flatMap((criterion, at) => provabilityProblems(criterion, at, actions)),
];
