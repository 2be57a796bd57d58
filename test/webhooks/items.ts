import type { CommandBody, ItemState } from '../../src/core/index.ts';
import { isRejection } from '../../src/core/index.ts';
import type { Store } from '../../src/store/store.ts';
import { claim, command, create, dispatch, type ItemShape, settle, USAGE, USER } from '../store/items.ts';

/** Items whose lives tell a webhook something; nobody carries them but the test. */

export async function sent(store: Store, asked: ReturnType<typeof command>): Promise<ItemState> {
  const said = await store.execute(asked);
  if (isRejection(said)) throw new Error(`${asked.body.type}: ${said.code}: ${said.message}`);
  return said.state;
}

const byUser = (store: Store, itemId: string, body: CommandBody) =>
  sent(store, command(itemId, body, { principal: USER }));

export const made = (store: Store, itemId: string, shape: ItemShape = {}): Promise<ItemState> =>
  sent(store, create(itemId, shape));

/** The engine holds it, and a person lets it go on. */
export async function heldOnce(store: Store, itemId: string, details = 'Only 3 MB are free.'): Promise<void> {
  const { controlVersion } = await sent(store, command(itemId, { type: 'HoldItem', code: 'disk_low', details }));
  await byUser(store, itemId, { type: 'ResumeItem', controlVersion });
}

export const stopped = (store: Store, itemId: string): Promise<ItemState> =>
  byUser(store, itemId, { type: 'StopItem', reason: 'enough' });

/** Its Action fails for good, and a person is asked. */
export async function failed(store: Store, itemId: string, error = 'It cannot be done.'): Promise<ItemState> {
  await sent(store, claim(itemId, `${itemId}-r1`));
  await sent(store, dispatch(itemId, `${itemId}-r1`));
  const outcome = { kind: 'failed', code: 'no_way', error } as const;
  const settlement = { kind: 'outcome', outcome, changedPaths: [], receipts: [] } as const;
  return sent(store, settle(itemId, `${itemId}-r1`, settlement));
}

/** It reaches its end with a proof. */
export async function done(store: Store, itemId: string): Promise<ItemState> {
  await sent(store, claim(itemId, `${itemId}-r1`));
  await sent(store, dispatch(itemId, `${itemId}-r1`));
  const { branch } = await sent(store, settle(itemId, `${itemId}-r1`));
  const result = { kind: 'merged', head: 'd'.repeat(40) } as const;
  const body = { type: 'RecordMerge', actionId: 'a1', generation: 1, expectedHead: branch.head, result } as const;
  await sent(store, command(itemId, body));
  return sent(
    store,
    command(itemId, { type: 'RecordPublish', ref: 'refs/heads/workcenter/i', commit: 'd'.repeat(40) }),
  );
}

export { USAGE };
