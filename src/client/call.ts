import createFetchClient from 'openapi-fetch';
import { type Answer, lossOf, problemOf } from './answer.ts';
import type { Paths } from './schema.ts';

type Anything = Record<never, never>;

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** Routes that answer this method. */
type PathOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];

type OperationOf<P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;

/** What is no JSON is bytes; a content without a kind is nothing. */
type ContentOf<B, Bytes> = B extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : keyof C extends never
      ? never
      : Bytes
  : never;

type Success<R> = { [S in keyof R & (200 | 201 | 202)]: ContentOf<R[S], ArrayBuffer> }[keyof R & (200 | 201 | 202)];

/** What an operation answers where it did what was asked; undefined where it answers nothing. */
type DataOf<O> = O extends { responses: infer R } ? ([Success<R>] extends [never] ? undefined : Success<R>) : never;

type ParametersOf<O> = O extends { parameters: infer P }
  ? Anything extends P
    ? { params?: P }
    : { params: P }
  : unknown;

type BodyOf<O> = O extends { requestBody: infer B } ? { body: ContentOf<B, Uint8Array | Blob> } : unknown;

interface Sending {
  /** Such as `content-type` of a body that is bytes. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type InitOf<O> = ParametersOf<O> & BodyOf<O> & Sending;

/** One method of HTTP, on every route that has it: parameters, body and answer are those of the OpenAPI document. */
export type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: Anything extends InitOf<OperationOf<P, M>>
    ? [init?: InitOf<OperationOf<P, M>>]
    : [init: InitOf<OperationOf<P, M>>]
) => Promise<Answer<DataOf<OperationOf<P, M>>>>;

/** Every method of HTTP that the API has. */
export interface Calls {
  readonly get: Call<'get'>;
  readonly put: Call<'put'>;
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
}

export interface Transport {
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string;
  /** Made by `workcenter token add`; on the server's own machine none may be needed. */
  readonly token?: string;
  /** In place of the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** What the library answers; it knows the types of routes by a table that is ours to give. */
type Raw = (
  method: Method,
  path: string,
  init: object,
) => Promise<{ readonly error?: unknown; readonly response: Response }>;

const isJson = ({ headers }: Response): boolean =>
  /^application\/(.+\+)?json\b/.test(headers.get('content-type') ?? '');

async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return isJson(response) ? response.json() : response.arrayBuffer();
}

async function answered(url: string, sent: ReturnType<Raw>): Promise<Answer<unknown>> {
  try {
    const { error, response } = await sent;
    if (!response.ok) return { problem: problemOf(response, error) };
    return { data: await dataOf(response), etag: response.headers.get('etag'), status: response.status };
  } catch (error) {
    return { problem: lossOf(error, url) };
  }
}

/** Bytes go as they are; the library would make JSON of them. */
function initOf(init: { readonly body?: unknown; readonly headers?: object }): object {
  const { body, headers } = init;
  const isBytes = body instanceof Uint8Array || body instanceof Blob;
  if (!isBytes) return { ...init, parseAs: 'stream' };
  const kind = { 'content-type': 'application/octet-stream' };
  return { ...init, parseAs: 'stream', headers: { ...kind, ...headers }, bodySerializer: (raw: unknown) => raw };
}

/** Requests by the types of the document, through `openapi-fetch`; failures are values. */
export function openCalls({ url, token, fetch }: Transport): Calls {
  const client = createFetchClient({
    baseUrl: url,
    ...(fetch === undefined ? {} : { fetch }),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const raw = client.request as Raw;
  const call =
    (method: Method) =>
    (path: string, init: object = {}) =>
      answered(url, raw(method, path, initOf(init)));
  const calls = {
    get: call('get'),
    put: call('put'),
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
  };
  return calls as Calls;
}
