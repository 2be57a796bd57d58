import { useQuery } from '@tanstack/react-query';
import type { Item } from '../../../../src/client/index.ts';
import { actionQuery } from '../../api/queries.ts';
import type { Target } from './draft.ts';

/** Whether whoever is written to would hear it; an Action that was begun anew since is another than was meant. */
export type TargetState =
  | { readonly state: 'hears' }
  | { readonly state: 'deaf'; readonly reason: string }
  | { readonly state: 'anew'; readonly generation: number };

/** The server's word on it. What it has not said yet is tried: it refuses what it must. */
export function useTargetState(item: Item, target: Target | null): TargetState {
  const query = actionQuery(item.id, target?.actionId ?? '');
  const { data: action } = useQuery({ ...query, enabled: target !== null });
  if (target && action && action.generation !== target.generation)
    return { state: 'anew', generation: action.generation };
  const can = target ? action?.can.message : item.can.message;
  return can && !can.allowed ? { state: 'deaf', reason: can.reason } : { state: 'hears' };
}
