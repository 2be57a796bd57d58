import { useQuery } from '@tanstack/react-query';
import type { Models } from '../../../src/client/index.ts';
import { modelsQuery } from './queries.ts';

/**
 * Why the Coordinator has no model to think with; null where it has one, or nobody can tell. It may have been given one on
 * the command line, of which the live feed tells nothing: it is asked again by whoever comes back to the page.
 */
export function useModelProblem(enabled = true): Models['coordinator']['problem'] {
  const { data } = useQuery({ ...modelsQuery, staleTime: 0, refetchOnWindowFocus: true, enabled });
  return enabled ? (data?.coordinator.problem ?? null) : null;
}
