import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { Rejection } from '../../core/index.ts';
import { isAttachmentRefusal } from '../../engine/attachments/refusal.ts';
import { uploadsFor } from '../../engine/attachments/uploads.ts';
import { limitsOf, readConfiguration } from '../../engine/configuration.ts';
import { onceKey } from '../../engine/once-key.ts';
import type { GoalSubmission } from '../../engine/submit/submit-goal.ts';
import { principalOf } from '../access/caller.ts';
import type { ApiDeps } from '../deps.ts';
import { submissionOf } from '../goal/compile.ts';
import { NEW_ITEM } from '../goal/schema.ts';
import { problem, type Refusal } from '../problem.ts';
import { HEAD } from '../schemas.ts';
import { headView } from '../views/head.ts';
import { KEY } from './change.ts';
import { json } from './json.ts';
import { etagOf } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const create = createRoute({
  method: 'post',
  path: '/work-items',
  summary: 'Create an item from a goal; a Coordinator plans the work',
  request: { headers: KEY, body: { content: { 'application/json': { schema: NEW_ITEM } }, required: true } },
  responses: {
    200: json(HEAD, 'It was created before under this key.'),
    201: json(HEAD, 'Created; Location is its address.'),
    ...REFUSALS,
  },
});

const CANNOT_CREATE: Refusal = {
  code: 'cannot_create',
  message: 'This server creates no items.',
  next: 'workcenter new "GOAL" on the machine that it runs on.',
};

const isRefused = (value: GoalSubmission | Rejection): value is Rejection => 'code' in value;

/** A goal becomes an item (D1, D37), once for each key. */
export function createItems(app: OpenAPIHono, { store, submit, access }: ApiDeps): void {
  app.openapi(create, async (context) => {
    if (!submit) return problem(context, CANNOT_CREATE);
    const { value } = await store.readSettings();
    const sent = context.req.valid('json');
    const files = await uploadsFor(store, sent.attachments ?? [], [], access.now());
    if (isAttachmentRefusal(files)) return problem(context, files);
    const wanted = submissionOf(sent, limitsOf(readConfiguration(value)), principalOf(context), files);
    if (isRefused(wanted)) return problem(context, wanted);
    const key = context.req.header('idempotency-key');
    const submitted = await submit(key === undefined ? wanted : { ...wanted, idempotencyKey: onceKey('new', key) });
    if ('code' in submitted) return problem(context, submitted);
    const { state, replayed } = submitted;
    const headers = { ETag: etagOf(state), Location: `/api/v1/work-items/${state.id}` };
    return replayed ? context.json(headView(state), 200, headers) : context.json(headView(state), 201, headers);
  });
}
