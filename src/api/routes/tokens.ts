import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { TOKEN_NAME, TOKEN_NAME_FORM } from '../access/token-name.ts';
import { addToken, listTokens, revokeToken, stateOf } from '../access/token-records.ts';
import type { ApiDeps } from '../deps.ts';
import { ADDED_TOKEN, NEW_TOKEN, TOKEN, TOKENS } from '../installation-schemas.ts';
import { problem, type Refusal } from '../problem.ts';
import { tokenView } from '../views/installation.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const list = createRoute({
  method: 'get',
  path: '/tokens',
  summary: 'Who may speak to this server, oldest first; never what they are recognised by',
  responses: { 200: json(TOKENS, 'All of them.'), ...REFUSALS },
});

const add = createRoute({
  method: 'post',
  path: '/tokens',
  summary: 'Make a token, by the person at this machine only; the answer is the only place that shows it',
  request: { body: { content: { 'application/json': { schema: NEW_TOKEN } }, required: true } },
  responses: { 201: json(ADDED_TOKEN, 'It is valid from now on.'), ...REFUSALS },
});

const revoke = createRoute({
  method: 'post',
  path: '/tokens/{id}/revoke',
  summary: 'Let a token in no more, from the next request on',
  request: {
    params: z.object({ id: z.string().min(1).max(64) }),
    body: { content: { 'application/json': { schema: z.strictObject({}) } }, required: true },
  },
  responses: { 200: json(TOKEN, 'As it is now.'), ...REFUSALS },
});

/** A token that makes others outlives its own end: only who needs none may make one. */
const isAtMachine = (context: Context): boolean => context.get('caller').tokenId === null;

const MADE_HERE: Refusal = {
  code: 'user_required',
  message: 'A token makes no other tokens.',
  expected: 'the person at the machine of the server',
  found: 'the holder of a token',
  next: 'There: workcenter token add NAME --scope operate',
};

const taken = (name: string, id: string): Refusal => ({
  code: 'token_name_taken',
  message: `There is a valid token named ${name}.`,
  expected: 'another name',
  found: `token ${id}`,
});

/** Who may speak to this server. What reaches these routes is a person with every scope (`door`). */
export function tokens(app: OpenAPIHono, { store, access }: ApiDeps): void {
  const { now } = access;
  app.openapi(list, async (context) => {
    const found = await listTokens(store);
    return context.json({ tokens: found.map((one) => tokenView(one, now())), mayAdd: isAtMachine(context) }, 200);
  });
  app.openapi(add, async (context) => {
    if (!isAtMachine(context)) return problem(context, MADE_HERE);
    const { expiresInSec, ...wanted } = context.req.valid('json');
    const { name } = wanted;
    if (!TOKEN_NAME.test(name)) {
      const message = 'A token needs a name that says who uses it.';
      return problem(context, { code: 'invalid_field', message, expected: TOKEN_NAME_FORM, found: name || 'nothing' });
    }
    const same = (await listTokens(store)).find((one) => one.name === name && stateOf(one, now()) === 'valid');
    if (same) return problem(context, taken(name, same.id));
    const expiresAt = expiresInSec === undefined ? null : now() + expiresInSec * 1_000;
    const { minted, record } = await addToken(store, { ...wanted, expiresAt }, now());
    const shown = { ...tokenView(record, now()), token: minted.token };
    return context.json(shown, 201, { 'Cache-Control': 'no-store' });
  });
  app.openapi(revoke, async (context) => {
    const { id } = context.req.valid('param');
    const revoked = await revokeToken(store, id, now());
    if (revoked) return context.json(tokenView(revoked, now()), 200);
    return problem(context, {
      code: 'token_not_found',
      message: `There is no token ${id}.`,
      next: 'GET /api/v1/tokens',
    });
  });
}
