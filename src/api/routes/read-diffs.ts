import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { DiffOf } from '../../engine/on-demand/item-diff.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { CANNOT_TELL } from '../on-machine.ts';
import { problem } from '../problem.ts';
import { ITEM, json } from './json.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

const DIFF = z
  .object({
    from: z.string().openapi({ description: 'The commit that it starts from.' }),
    to: z.string(),
    text: z.string().openapi({ description: 'A unified diff; binary files are named, not shown.' }),
    truncated: z.boolean().openapi({ description: 'There is more than 1 MiB of it; the rest is in the item branch.' }),
    omitted: z
      .array(z.string())
      .openapi({ description: 'Where it is truncated: the first 1,000 paths that are not in it. Read one by `path`.' }),
  })
  .openapi('Diff');

export const PATH = z.string().min(1).max(4_096);

export const DIFF_QUERY = z.object({
  path: PATH.optional().openapi({ description: 'Only this file.' }),
  whitespace: z
    .enum(['show', 'ignore'])
    .default('show')
    .openapi({ description: '`ignore`: lines that differ in white space only are the same.' }),
});

export const IF_NONE_MATCH = z.object({
  'if-none-match': z.string().max(256).optional().openapi({ description: 'The ETag that is there already.' }),
});

const ACTION = ITEM.extend({ actionId: z.string().min(1).max(64) });

const RESPONSES = {
  200: json(DIFF, 'From where it began to its result; the ETag names both.'),
  304: { description: 'Still the same commits.' },
  ...REFUSALS,
};

const item = createRoute({
  method: 'get',
  path: '/work-items/{id}/diff',
  summary: 'What an item has changed so far',
  request: { params: ITEM, query: DIFF_QUERY, headers: IF_NONE_MATCH },
  responses: RESPONSES,
});

const action = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/diff',
  summary: 'What the last completed Run of an Action has changed',
  request: { params: ACTION, query: DIFF_QUERY, headers: IF_NONE_MATCH },
  responses: RESPONSES,
});

const run = createRoute({
  method: 'get',
  path: '/work-items/{id}/actions/{actionId}/runs/{runId}/diff',
  summary: 'What one Run has changed',
  request: { params: ACTION.extend({ runId: z.string().min(1).max(64) }), query: DIFF_QUERY, headers: IF_NONE_MATCH },
  responses: RESPONSES,
});

export const CHANGED_FILE = z
  .object({
    commit: z.string(),
    path: z.string(),
    state: z.enum(['text', 'binary', 'too_large', 'symlink', 'submodule', 'absent']),
    text: z
      .string()
      .nullable()
      .openapi({ description: 'Of text: all of it. Of a link: where it leads. Of a submodule: its commit.' }),
    bytes: z.number().int().nullable(),
  })
  .openapi('ChangedFile');

const file = createRoute({
  method: 'get',
  path: '/work-items/{id}/changed-file',
  summary: 'A changed file as it was before or after: of the item, or of one Action or Run',
  request: {
    params: ITEM,
    query: z.object({
      path: PATH.openapi({ description: 'One of the paths of the diff.' }),
      side: z.enum(['before', 'after']).default('after'),
      actionId: z.string().min(1).max(64).optional(),
      runId: z.string().min(1).max(64).optional(),
    }),
  },
  responses: { 200: json(CHANGED_FILE, 'The file; over 1 MiB only its size.'), ...REFUSALS },
});

type Query = z.output<typeof DIFF_QUERY>;

/** What came of the work, as text. */
export function readDiffs(app: OpenAPIHono, deps: ApiDeps): void {
  const { store, machine } = deps;
  async function diff(context: Context, id: string, of: DiffOf, { path, whitespace }: Query) {
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!machine) return problem(context, CANNOT_TELL);
    const ends = await machine.diffEnds(state, of);
    if (ends.kind === 'nothing') return problem(context, { code: 'no_diff', message: ends.why });
    const headers = { ETag: `"${ends.from}-${ends.to}"` };
    if (context.req.header('if-none-match') === headers.ETag) return context.body(null, 304, headers);
    const options = { ignoreWhitespace: whitespace === 'ignore', ...saidOnly({ path }) };
    const found = await machine.diff(state, ends, options);
    if (found.kind === 'nothing') return problem(context, { code: 'no_diff', message: found.why });
    const { from, to, text, truncated, omitted } = found;
    return context.json({ from, to, text, truncated, omitted: [...omitted] }, 200, headers);
  }
  app.openapi(item, (context) => diff(context, context.req.valid('param').id, {}, context.req.valid('query')));
  app.openapi(action, (context) => {
    const { id, actionId } = context.req.valid('param');
    return diff(context, id, { actionId }, context.req.valid('query'));
  });
  app.openapi(run, (context) => {
    const { id, actionId, runId } = context.req.valid('param');
    return diff(context, id, { actionId, runId }, context.req.valid('query'));
  });
  readChangedFile(app, deps);
}

function readChangedFile(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  app.openapi(file, async (context) => {
    const { id } = context.req.valid('param');
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!machine) return problem(context, CANNOT_TELL);
    const { path, side, ...of } = context.req.valid('query');
    const ends = await machine.diffEnds(state, saidOnly(of));
    if (ends.kind === 'nothing') return problem(context, { code: 'no_diff', message: ends.why });
    const found = await machine.changedFile(state, ends, { path, side });
    if (found.kind === 'nothing') return problem(context, { code: 'no_diff', message: found.why, found: path });
    const { kind: _kind, ...shown } = found;
    return context.json(shown, 200);
  });
}
