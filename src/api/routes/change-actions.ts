import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiDeps } from '../deps.ts';
import { change, changing, TEXT } from './change.ts';
import { ITEM } from './json.ts';

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
const resolution = changing(
  '/work-items/{id}/operations/{operationId}/resolution',
  'Say what became of an effect whose end is not known',
  ITEM.extend({ operationId: z.string().min(1).max(128) }),
  z.strictObject({ effect: z.enum(['applied', 'not_applied']), reason: TEXT.default('') }),
);

/** What a person may do to one Action (D15), and to what it did outside (O2). */
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
  app.openapi(resolution, (context) => {
    const { id, operationId } = context.req.valid('param');
    return change(deps, context, id, { type: 'ResolveOperation', operationId, ...context.req.valid('json') });
  });
}
