import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import type { Action } from '../../../../src/client/index.ts';
import { actionQuery, actionsQuery } from '../../api/queries.ts';
import type { DiffSource } from './source.ts';

/** Of a long item only the newest are asked. */
const MOST_ACTIONS = 20;

/** The Action that wrote a file: that of the source, else the last one whose result has its path. */
export function useAuthor({ itemId, actionId }: DiffSource, path: string): Action | undefined {
  const list = useInfiniteQuery({ ...actionsQuery(itemId), enabled: actionId === undefined });
  const candidates = (list.data?.pages ?? [])
    .flatMap((page) => page.actions)
    .filter(({ executor, runs }) => executor.kind !== 'verify' && runs > 0)
    .slice(-MOST_ACTIONS);
  const ids = actionId === undefined ? candidates.map(({ id }) => id) : [actionId];
  const details = useQueries({ queries: ids.map((id) => actionQuery(itemId, id)) }).map(({ data }) => data);
  if (actionId !== undefined) return details[0];
  return details.findLast((action) => action?.result?.changedPaths.includes(path));
}
