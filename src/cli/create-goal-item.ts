import { randomUUID } from 'node:crypto';
import type { ItemState } from '../core/model/item.ts';
import { onceKey } from '../engine/once-key.ts';
import type { GoalSubmission } from '../engine/submit/submit-goal.ts';
import { type Failure, isFailure } from './answer.ts';
import type { App } from './app.ts';
import { rejected } from './errors.ts';
import type { Server } from './server/server.ts';
import { submitWith } from './submit-with.ts';

/** By way of the server; undefined where it decided nothing. */
async function createOn(
  server: Server,
  { store }: App,
  submission: GoalSubmission,
  key: string,
): Promise<ItemState | Failure | undefined> {
  const [{ askServer, filesOn }, { sendGoal }] = await Promise.all([
    import('./server/server.ts'),
    import('./server/send-goal.ts'),
  ]);
  const files = await filesOn(server, store, submission.goal.attachments);
  const said = await askServer(server, (client) => sendGoal(client, submission, key, files));
  return said === undefined || isFailure(said) ? said : store.load(said.data.id);
}

/** A goal becomes an item, once for a key: by the server that runs, else here. */
export async function createGoalItem(app: App, submission: GoalSubmission, key?: string): Promise<ItemState | Failure> {
  const server = await app.server?.();
  const used = server ? (key ?? randomUUID()) : key;
  const said = server && used !== undefined ? await createOn(server, app, submission, used) : undefined;
  if (said !== undefined) return said;
  const submitted = await submitWith(app)(
    used === undefined ? submission : { ...submission, idempotencyKey: onceKey('new', used) },
  );
  return 'code' in submitted ? rejected(submitted) : submitted.state;
}
