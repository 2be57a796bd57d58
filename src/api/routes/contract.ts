import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Contract, ItemState } from '../../core/index.ts';
import { contractAt } from '../../engine/on-demand/contract-at.ts';
import { contractHistory } from '../../engine/on-demand/contract-history.ts';
import { onceKey } from '../../engine/once-key.ts';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { patched } from '../goal/compile.ts';
import { CONTRACT, CONTRACT_PATCH } from '../goal/schema.ts';
import { INVALID_CURSOR } from '../paging/cursor.ts';
import { asNumber, pageOf } from '../paging/page.ts';
import { problem } from '../problem.ts';
import { MORE } from '../schemas.ts';
import { contractView } from '../views/contract.ts';
import { KEY } from './change.ts';
import { IF_MATCH, notAVersion, versionOf } from './if-match.ts';
import { CURSOR, ITEM, json, limitOf } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const PATH = '/work-items/{id}/contract';

const read = createRoute({
  method: 'get',
  path: PATH,
  summary: 'What was asked for',
  request: { params: ITEM },
  responses: { 200: json(CONTRACT, 'The contract; the ETag is its version.'), ...REFUSALS },
});

const edit = createRoute({
  method: 'patch',
  path: PATH,
  summary: 'Change parts of the contract; what cites them is done or proven again',
  request: {
    params: ITEM,
    headers: KEY.extend(IF_MATCH.shape),
    body: { content: { 'application/json': { schema: CONTRACT_PATCH } }, required: true },
  },
  responses: { 200: json(CONTRACT, 'The contract as it is now.'), ...REFUSALS },
});

const VERSION = z
  .object({
    at: z.number().openapi({ description: 'When it came to be; milliseconds since 1970.' }),
    changed: z
      .array(z.string())
      .openapi({ description: 'Parts that differ from the version before; `criterion:ID` for a criterion.' }),
    contract: CONTRACT,
  })
  .openapi('ContractVersion');

const history = createRoute({
  method: 'get',
  path: `${PATH}/versions`,
  summary: 'Every version of what was asked for',
  request: { params: ITEM, query: z.object({ limit: limitOf(20, 100), cursor: CURSOR }) },
  responses: {
    200: json(
      z.object({ versions: z.array(VERSION), nextCursor: MORE }).openapi('ContractVersionPage'),
      'A page, newest first.',
    ),
    ...REFUSALS,
  },
});

const headersOf = ({ contractVersion }: ItemState) => ({ ETag: `"${contractVersion}"` });

function versions(app: OpenAPIHono, { store }: ApiDeps): void {
  app.openapi(history, async (context) => {
    const { id } = context.req.valid('param');
    if (!(await store.load(id))) return itemNotFound(context, id);
    const newestFirst = (await contractHistory(store, id)).toReversed();
    const page = await pageOf({
      ...{ query: ['contract-versions', id], ...context.req.valid('query'), parse: asNumber },
      read: (before = Number.POSITIVE_INFINITY) => newestFirst.filter(({ state }) => state.contractVersion < before),
      at: ({ state }) => state.contractVersion,
      view: ({ state, at, changed }) => ({ at, changed: [...changed], contract: contractView(state) }),
    });
    return page ? context.json({ versions: page.views, ...page.more }, 200) : problem(context, INVALID_CURSOR);
  });
}

/** A contract is a person's, and is changed against the version that they read (D20, FENCE-4). */
export function contract(app: OpenAPIHono, deps: ApiDeps): void {
  const { store } = deps;
  versions(app, deps);
  app.openapi(read, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    return context.json(contractView(state), 200, headersOf(state));
  });
  app.openapi(edit, async (context) => {
    const { id } = context.req.valid('param');
    const { 'if-match': tag, 'idempotency-key': key } = context.req.valid('header');
    const contractVersion = versionOf(tag);
    if (contractVersion === undefined) return problem(context, notAVersion(tag, '…/contract'));
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    const sent = context.req.valid('json');
    const once = key === undefined ? {} : { idempotencyKey: onceKey(id, key) };
    const apply = (to: Contract) => {
      const body = { type: 'EditContract', contractVersion, contract: patched(to, sent) } as const;
      return store.execute({ itemId: id, principal: principalOf(context), body, ...once });
    };
    let said = await apply(state.contract);
    if ('code' in said && said.code === 'idempotency_mismatch') {
      // Parts that were not sent may have changed since the key was used: it meant the contract of its own version.
      const then = await contractAt(store, id, contractVersion);
      if (then) said = await apply(then);
    }
    if ('code' in said) return problem(context, said);
    return context.json(contractView(said.state), 200, headersOf(said.state));
  });
}
