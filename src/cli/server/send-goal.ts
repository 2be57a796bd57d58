import type { NewItem, WorkCenterClient } from '../../client/index.ts';
import type { Setup } from '../../core/model/contract.ts';
import type { Limits } from '../../core/model/item.ts';
import type { GoalSubmission } from '../../engine/submit/submit-goal.ts';

/** Limits that an item has by number; none stands for no limit, which is what it has unless one is named. */
const amountsOf = (limits: Limits): NonNullable<NewItem['limits']> =>
  Object.fromEntries(
    Object.entries(limits).filter(([name, value]) => value !== null && name !== 'attemptsExtension'),
  ) as NonNullable<NewItem['limits']>;

/** Files that decide about it are looked for by the server where none was named. */
const setupOf = ({ inputs, ...setup }: Setup): NonNullable<NewItem['setup']> =>
  inputs.length === 0 ? setup : { ...setup, inputs: [...inputs] };

/** A goal as the API takes it, with the ids of its files there. */
function newItemOf({ directory, dirty, inPlace, start, goal }: GoalSubmission, files: readonly string[]): NewItem {
  const { title, criteria, setup, delivery, instructions, limits, reuseMemory } = goal;
  return {
    ...{ goal: goal.goal, directory, dirty, inPlace, start, reuseMemory, delivery: { ...delivery } },
    criteria: criteria.map(({ id, text, minProof, check }) => ({
      ...{ id, text, minProof },
      ...(check ? { check: { ...check, protect: [...check.protect] } } : {}),
    })),
    limits: amountsOf(limits),
    attachments: [...files],
    ...(title === undefined ? {} : { title }),
    ...(setup === undefined ? {} : { setup: setupOf(setup) }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Sends a goal over HTTP, once under its key; undefined where its files were not sent. */
export function sendGoal(
  client: WorkCenterClient,
  submission: GoalSubmission,
  key: string,
  files: readonly string[] = [],
) {
  if (submission.goal.attachments.length !== files.length) return undefined;
  const body = newItemOf(submission, files);
  return client.post('/api/v1/work-items', { params: { header: { 'idempotency-key': key } }, body });
}
