import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { change, changing, ITEM, TEXT } from './change.ts';

const ACTION = ITEM.extend({ actionId: z.string().min(1).max(64) });
/** The generation that the caller read: one that has moved on is not touched (D5). */
const generation = z.number().int();

const retry = changing(
  '/work-items/{id}/actions/{actionId}/retry',
  'Another attempt at an Action and all that builds on it',
  ACTION,
  z.strictObject({ generation, guidance: TEXT.optional() }),
);
const redirect = changing(
  '/work-items/{id}/actions/{actionId}/redirect',
  'Restart an unfinished Action with guidance',
  ACTION,
  z.strictObject({ generation, guidance: TEXT }),
);
const close = changing(
  '/work-items/{id}/actions/{actionId}/close',
  'Step over an Action; it proves nothing',
  ACTION,
  z.strictObject({ generation, reason: TEXT.default(''), cascade: z.boolean().default(false) }),
);

/** What a person may do to one Action (D15). */
export function changeActions(app: OpenAPIHono, deps: ApiDeps): void {
  app.openapi(retry, (context) => {
    const { id, actionId } = context.req.valid('param');
    const { guidance, ...fence } = context.req.valid('json');
    const words = guidance === undefined ? {} : { guidance };
    return change(deps, context, id, { type: 'RetryAction', actionId, ...fence, ...words });
  });
  app.openapi(redirect, (context) => {
    const { id, actionId } = context.req.valid('param');
    return change(deps, context, id, { type: 'RedirectAction', actionId, ...context.req.valid('json') });
  });
  app.openapi(close, (context) => {
    const { id, actionId } = context.req.valid('param');
    return change(deps, context, id, { type: 'CloseAction', actionId, ...context.req.valid('json') });
  });
}
