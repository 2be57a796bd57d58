import type { World } from '../engine/index.ts';
import type { Dispatcher } from '../webhooks/index.ts';
import type { Shell } from './shell.ts';

/** Tells webhooks as long as this process carries items. Loads what that takes. */
export async function tellWebhooks({ store, worker, now, log }: World, { version }: Shell): Promise<Dispatcher> {
  const { sendOverHttp, startDispatcher } = await import('../webhooks/index.ts');
  const { owner } = worker;
  return startDispatcher({ ...{ store, owner, now, version, log }, send: sendOverHttp, chance: Math.random });
}
