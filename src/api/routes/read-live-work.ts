import { createHash } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { NotLive } from '../../engine/on-demand/live-diff.ts';
import type { ApiDeps } from '../deps.ts';
import { saidOnly } from '../goal/compile.ts';
import { CANNOT_TELL, type OnMachine } from '../on-machine.ts';
import { type ProblemResponse, problem } from '../problem.ts';
import { ITEM, json } from './json.ts';
import { CHANGED_FILE, DIFF_QUERY, IF_NONE_MATCH, PATH } from './read-diffs.ts';
import { itemNotFound } from './read-items.ts';
import { REFUSALS } from './refusals.ts';

/** An answer to who looks often is kept to what they ask for. */
const LEAST_BYTES = 1_024;
const MOST_BYTES = 1024 * 1024;

const LOOK = {
  runId: z.string().openapi({ description: 'The Run that works there now.' }),
  from: z.string().openapi({ description: 'The commit that it started from; in place, the content.' }),
  tree: z.string().openapi({ description: 'Names what is there now, by content.' }),
  changed: z.number().int().openapi({ description: 'Files that differ, however many of them are shown.' }),
  left: z
    .array(
      z.object({
        path: z.string(),
        reason: z.enum(['too_large', 'too_many_files', 'nested_repository', 'submodule', 'special_file', 'unreadable']),
      }),
    )
    .openapi({ description: 'What was not read, and why: the first 100.' }),
  leftOut: z.number().int().openapi({ description: 'How many were not read.' }),
};

const LIVE_DIFF = z
  .object({
    ...LOOK,
    text: z.string().openapi({ description: 'A unified diff; binary files are named, not shown.' }),
    truncated: z.boolean(),
    omitted: z.array(z.string()).openapi({ description: 'Where it is truncated: the first 1,000 paths not in it.' }),
  })
  .openapi('LiveDiff');

const LIVE_FILES = z
  .object({
    ...LOOK,
    files: z
      .array(z.object({ status: z.enum(['A', 'M', 'D', 'T']), path: z.string() }))
      .openapi({ description: 'The first 400: Added, Modified, Deleted, Type changed.' }),
  })
  .openapi('LiveFiles');

const LIVE_FILE = z.object({ ...LOOK, file: CHANGED_FILE.omit({ commit: true }) }).openapi('LiveFile');

const params = ITEM.extend({ actionId: z.string().min(1).max(64) });
const PLACE = '/work-items/{id}/actions/{actionId}/workspace';

const responses = <S extends z.ZodType>(schema: S) => ({
  200: json(schema, 'As it is at this moment; it proves nothing.'),
  304: { description: 'Still the same.' },
  ...REFUSALS,
});

const diff = createRoute({
  method: 'get',
  path: `${PLACE}/diff`,
  summary: 'What a running Action has changed so far, committed or not',
  request: {
    params,
    headers: IF_NONE_MATCH,
    query: DIFF_QUERY.extend({
      maxBytes: z.coerce
        .number()
        .int()
        .min(LEAST_BYTES)
        .max(MOST_BYTES)
        .default(MOST_BYTES)
        .openapi({ type: 'integer', description: 'Whole files up to so many bytes; of one file, its beginning.' }),
    }),
  },
  responses: responses(LIVE_DIFF),
});

const files = createRoute({
  method: 'get',
  path: `${PLACE}/files`,
  summary: 'Which files a running Action has changed so far',
  request: { params, headers: IF_NONE_MATCH },
  responses: responses(LIVE_FILES),
});

const file = createRoute({
  method: 'get',
  path: `${PLACE}/file`,
  summary: 'A file that a running Action has changed, as it is now',
  request: { params, headers: IF_NONE_MATCH, query: z.object({ path: PATH }) },
  responses: responses(LIVE_FILE),
});

/** The same content, with the same left out, is the same answer. */
const etagOf = (shown: object): string =>
  `"${createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 40)}"`;

/** Work while it is being done, for people to watch: it is looked at on demand, and nothing of it is kept. */
export function readLiveWork(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  async function look<T extends object>(
    context: Context,
    { id, actionId }: { readonly id: string; readonly actionId: string },
    see: (machine: OnMachine, state: NonNullable<Awaited<ReturnType<typeof store.load>>>) => Promise<T | NotLive>,
  ): Promise<{ readonly seen: T; readonly headers: { readonly ETag: string } } | ProblemResponse> {
    const state = await store.load(id);
    if (!state) return itemNotFound(context, id);
    if (!machine) return problem(context, CANNOT_TELL);
    const seen = await see(machine, state);
    if ('why' in seen) return problem(context, { code: seen.code, message: seen.why, ...nextOf(seen, id, actionId) });
    const headers = { ETag: etagOf(seen) };
    if (context.req.header('if-none-match') !== headers.ETag) return { seen, headers };
    return context.body(null, 304, headers) as Response as ProblemResponse;
  }
  app.openapi(diff, async (context) => {
    const place = context.req.valid('param');
    const { path, whitespace, maxBytes } = context.req.valid('query');
    const options = { ignoreWhitespace: whitespace === 'ignore', maxBytes, ...saidOnly({ path }) };
    const found = await look(context, place, (here, state) => here.liveDiff(state, place.actionId, options));
    if (found instanceof Response) return found;
    const { kind: _kind, left, omitted, ...shown } = found.seen;
    return context.json({ ...shown, left: [...left], omitted: [...omitted] }, 200, found.headers);
  });
  app.openapi(files, async (context) => {
    const place = context.req.valid('param');
    const found = await look(context, place, (here, state) => here.liveFiles(state, place.actionId));
    if (found instanceof Response) return found;
    const { kind: _kind, left, files: changed, ...shown } = found.seen;
    return context.json({ ...shown, left: [...left], files: [...changed] }, 200, found.headers);
  });
  app.openapi(file, async (context) => {
    const place = context.req.valid('param');
    const { path } = context.req.valid('query');
    const found = await look(context, place, (here, state) => here.liveFile(state, place.actionId, path));
    if (found instanceof Response) return found;
    const { kind: _kind, left, ...shown } = found.seen;
    return context.json({ ...shown, left: [...left] }, 200, found.headers);
  });
}

const nextOf = ({ code }: NotLive, id: string, actionId: string) => {
  if (code === 'not_running') return { next: `GET /api/v1/work-items/${id}/actions/${actionId}/diff` };
  return code === 'workspace_gone' ? { next: 'Ask the server on the machine that carries the Run.' } : {};
};
