import type { ActionLine } from '../../../../src/client/index.ts';

/** How an Action stands for a person: one whose end nobody knows has not simply failed. */
export const statusOf = ({
  status,
  lastRunStatus,
}: Pick<ActionLine, 'status' | 'lastRunStatus'>): ActionLine['status'] | 'unknown' =>
  status === 'failed' && lastRunStatus === 'unknown' ? 'unknown' : status;
