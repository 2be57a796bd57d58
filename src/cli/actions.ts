import type { ActionState } from '../core/model/action.ts';
import type { ItemState } from '../core/model/item.ts';
import { type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

/** The Action with this id, or with the only one that begins like it. */
export function actionNamed(state: ItemState, wanted: string): ActionState | Failure {
  const exact = state.actions.find((action) => action.id === wanted);
  const like = state.actions.filter((action) => action.id.startsWith(wanted));
  const found = exact ?? (like.length === 1 ? like[0] : undefined);
  if (found) return found;
  const known = state.actions.map((action) => action.id).join(', ') || 'none';
  return failure(EXIT.notFound, 'action_not_found', `Item ${state.id} has no Action ${wanted}.`, {
    expected: `one of: ${known}`,
    found: wanted,
  });
}
