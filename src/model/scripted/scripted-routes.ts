import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { CompiledScenario } from './compiled-scenario.ts';
import { type JsonObject, objectOf, parseJson } from './json.ts';
import { CODECS } from './protocols.ts';
import type { RecordedRequest, Recorder } from './recorder.ts';
import { type Responded, refused, respond } from './respond.ts';
import { type Protocol, scriptedRequest } from './scripted-request.ts';
import { type Sleep, send } from './send.ts';
import { writeErrorBody } from './write-error.ts';
import { outputItems } from './write-openai-responses.ts';

/** What the handlers of one server share. */
export interface ScriptedApp {
  readonly scenario: CompiledScenario;
  readonly recorder: Recorder;
  /** Items of answers in the Responses protocol, by id. */
  readonly items: Map<string, JsonObject>;
  readonly onRequest: (request: RecordedRequest) => void | Promise<void>;
  readonly now: () => number;
  readonly sleep: Sleep;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

type Env = { Bindings: HttpBindings };

const POSTS: readonly (readonly [path: string, protocol: Protocol])[] = [
  ['/v1/chat/completions', 'openai-chat'],
  ['/v1/responses', 'openai-responses'],
  ['/v1/messages', 'anthropic'],
  ['/anthropic/v1/messages', 'anthropic'],
];

/** Aborts when the client is gone or the server closes. */
function listening(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

/** Finds the answer for the text of a body. What cannot be read is recorded too, so that no test passes over it. */
function respondTo(app: ScriptedApp, protocol: Protocol, text: string): Promise<Responded> {
  const arrival = { number: app.recorder.nextNumber(), at: app.now() };
  const body = parseJson(text);
  const read = CODECS[protocol].read(body, (id) => app.items.get(id));
  if (read.ok) return respond(app.scenario, app.recorder, { ...arrival, request: read.request });
  const nothing = { stream: false, model: '', system: '', messages: [], tools: [] };
  const request = scriptedRequest({ ...nothing, protocol, body: objectOf(body) });
  return Promise.resolve(refused({ ...arrival, request }, `unreadable request: ${read.problem}`));
}

/**
 * A copy is a whole answer. The marker itself is a light one of the library's own kind where another server of this
 * process was there first, and is sent a second time.
 */
const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

async function handle(app: ScriptedApp, protocol: Protocol, context: Context<Env>): Promise<Response> {
  const { outgoing } = context.env;
  const signal = listening(outgoing, app.closing);
  const { delivery, pauses, recorded, answer } = await respondTo(app, protocol, await context.req.text());
  const kept = protocol === 'openai-responses' && answer ? outputItems(answer) : [];
  for (const item of kept) app.items.set(item.id, item);
  app.recorder.add(recorded);
  await app.onRequest(recorded);
  await send(outgoing, delivery, pauses, { sleep: app.sleep, signal });
  return ALREADY_SENT;
}

function models({ scenario }: ScriptedApp, context: Context<Env>): Response {
  const id = scenario.model ?? 'scripted';
  const isAnthropic = context.req.header('anthropic-version') !== undefined;
  const model = isAnthropic
    ? { id, type: 'model', display_name: id, created_at: '2026-01-01T00:00:00Z' }
    : { id, object: 'model', created: 0, owned_by: 'scripted' };
  return context.json({ object: 'list', data: [model], has_more: false });
}

/** The routes of a scripted model. */
export function scriptedRoutes(app: ScriptedApp): Hono<Env> {
  const routes = new Hono<Env>();
  for (const [path, protocol] of POSTS) routes.post(path, (context) => handle(app, protocol, context));
  for (const path of ['/v1/models', '/anthropic/v1/models']) routes.get(path, (context) => models(app, context));
  const paths = POSTS.map(([path]) => path).join(', ');
  routes.notFound(({ req, json }) => {
    const message = `${req.method} ${req.path} is not served here; POST to one of ${paths}`;
    return json(writeErrorBody('openai-chat', { status: 404, message }), 404);
  });
  // `onRequest` that throws or a record that cannot be written: a mistake of the test, told where it is seen.
  routes.onError(({ message }, { json }) => json(writeErrorBody('openai-chat', { status: 400, message }), 400));
  return routes;
}
