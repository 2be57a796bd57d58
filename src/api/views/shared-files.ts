import type { ActionState, ItemState } from '../../core/index.ts';

type Owners = ReadonlyMap<string, readonly ActionState[]>;

/** A state never changes, so what follows from it is worked out once for all of its Actions. */
const known = new WeakMap<ItemState, Owners>();

const changed = ({ result }: ActionState): readonly string[] => result?.changedPaths ?? [];

/** For each file, the Actions whose result changed it. */
function ownersIn(state: ItemState): Owners {
  const before = known.get(state);
  if (before) return before;
  const owners = new Map<string, ActionState[]>();
  for (const action of state.actions) {
    for (const path of changed(action)) owners.set(path, [...(owners.get(path) ?? []), action]);
  }
  known.set(state, owners);
  return owners;
}

/** All that an Action builds on, and what that builds on. */
function foundations(state: ItemState, { spec }: ActionState, found = new Set<string>()): ReadonlySet<string> {
  for (const id of spec.dependsOn) {
    const action = found.has(id) ? undefined : state.actions.find((each) => each.id === id);
    found.add(id);
    if (action) foundations(state, action, found);
  }
  return found;
}

/**
 * Ids of other Actions that changed a file which this one changed, too. Where one builds on the other that is as
 * planned and not told.
 */
export function sharesFilesWith(state: ItemState, action: ActionState): readonly string[] {
  const owners = ownersIn(state);
  const others = new Set(changed(action).flatMap((path) => owners.get(path) ?? []));
  others.delete(action);
  if (others.size === 0) return [];
  const beneath = foundations(state, action);
  const apart = [...others].filter(({ id }) => !beneath.has(id));
  return apart.filter((other) => !foundations(state, other).has(action.id)).map(({ id }) => id);
}
