import type { Action, RunLine } from '../../../../src/client/index.ts';

type Status = RunLine['status'];

/** How a Run ended, as it stands now: what may be tried again is, was, or never will be. */
export function shownStatus(
  { id, status }: Pick<RunLine, 'id' | 'status'>,
  action: Pick<Action, 'status' | 'runId' | 'lastRun'> | undefined,
): Status | 'retried' {
  if (status !== 'retryable' || action === undefined) return status;
  if (action.runId !== null || action.lastRun?.id !== id) return 'retried';
  return action.status === 'ready' ? status : 'failed';
}
