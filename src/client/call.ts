import createFetchClient from 'openapi-fetch';
import { type Answer, lossOf, problemOf } from './answer.ts';
import type { Paths } from './schema.ts';

type Anything = Record<never, never>;

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** Routes that answer this method. */
type PathOf<M extends Method> = { [P in keyof Paths]: M extends keyof Paths[P] ? P : never }[keyof Paths];

type OperationOf<P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;

type ContentOf<B> = B extends { content: infer C } ? C[keyof C] : never;

type Success<R> = { [S in keyof R & (200 | 201 | 202)]: ContentOf<R[S]> }[keyof R & (200 | 201 | 202)];

/** What an operation answers where it did what was asked; undefined where it answers nothing. */
type DataOf<O> = O extends { responses: infer R } ? ([Success<R>] extends [never] ? undefined : Success<R>) : never;

type ParametersOf<O> = O extends { parameters: infer P }
  ? Anything extends P
    ? { params?: P }
    : { params: P }
  : unknown;

type BodyOf<O> = O extends { requestBody: infer B } ? { body: ContentOf<B> } : unknown;

interface Sending {
  /** Of a raw body, such as an upload; anything else is sent as JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** `text` and `arrayBuffer` for answers that are no JSON. */
  readonly parseAs?: 'json' | 'text' | 'arrayBuffer';
  readonly bodySerializer?: (body: unknown) => unknown;
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
  init?: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

async function answered(url: string, sent: ReturnType<Raw>): Promise<Answer<unknown>> {
  try {
    const { data, error, response } = await sent;
    if (!response.ok) return { problem: problemOf(response, error) };
    return { data, etag: response.headers.get('etag'), status: response.status };
  } catch (error) {
    return { problem: lossOf(error, url) };
  }
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
      answered(url, raw(method, path, init));
  const calls = {
    get: call('get'),
    put: call('put'),
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
  };
  return calls as Calls;
}
