import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { CommandBody } from '../../core/index.ts';
import { onceKey } from '../../engine/once-key.ts';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { problem } from '../problem.ts';
import { HEAD } from '../schemas.ts';
import { headView } from '../views/head.ts';
import { withWinner } from './closed-request.ts';
import { etagOf } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

export const TEXT = z.string().max(8_000);

export const KEY = z.object({ 'idempotency-key': z.string().min(1).max(128).optional() });
const CHANGED = {
  200: { description: 'The item as it is now.', content: { 'application/json': { schema: HEAD } } },
  ...REFUSALS,
};

/** A route that changes an item: it answers the item as it is afterwards. */
export const changing = <P extends z.ZodObject, B extends z.ZodType>(
  path: string,
  summary: string,
  params: P,
  schema: B,
) =>
  createRoute({
    method: 'post',
    path,
    summary,
    request: { params, headers: KEY, body: { content: { 'application/json': { schema } }, required: true } },
    responses: CHANGED,
  });

/** Executes one command in the name of the caller, under the caller's key, and answers what it led to; decides nothing. */
export async function change({ store }: ApiDeps, context: Context, itemId: string, body: CommandBody, key?: string) {
  const given = key ?? context.req.header('idempotency-key');
  const command = { itemId, principal: principalOf(context), body };
  const said = await store.execute(
    given === undefined ? command : { ...command, idempotencyKey: onceKey(itemId, given) },
  );
  if ('code' in said) return problem(context, await withWinner(store, itemId, body, said));
  return context.json(headView(said.state), 200, { ETag: etagOf(said.state) });
}
