import type { Problem } from './schema.ts';

/** Why nothing was done: a refusal of the server, or that it could not be asked. */
export interface ClientProblem {
  /** Stable, the same on every surface; `unreachable` and `unexpected_answer` are the client's own. */
  readonly code: string;
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  readonly detail: string;
  readonly expected?: string;
  readonly found?: string;
  readonly next?: string;
  /** Seconds until it may be tried again, where the server said so. */
  readonly retryAfterSec?: number;
}

/** What a request led to: either `data`, or a `problem` and nothing has changed. Nothing is thrown. */
export type Answer<T> =
  | { readonly data: T; readonly problem?: never; readonly etag: string | null; readonly status: number }
  | { readonly data?: never; readonly problem: ClientProblem; readonly etag?: never; readonly status?: never };

/** Whether a body is a refusal of the server, and not of something between. */
export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;

/** A refusal as the server told it; where something between us and it answered, that instead. */
export function problemOf({ status, headers, url }: Response, body: unknown): ClientProblem {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  const more = Number.isFinite(after) ? { retryAfterSec: after } : {};
  if (isProblem(body)) {
    const { code, detail, expected, found, next } = body;
    return {
      ...{ code, status, detail, ...more },
      ...(expected === undefined ? {} : { expected }),
      ...(found === undefined ? {} : { found }),
      ...(next === undefined ? {} : { next }),
    };
  }
  const detail = 'Something that is no Work Center answered.';
  return { code: 'unexpected_answer', status, detail, found: `${status} at ${url}`, ...more };
}

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error);

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;

/** Nobody listens there: what was to be sent has provably not arrived. */
export const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** That no answer came. `unreachable` proves that nothing was sent; after `connection_lost` nobody knows: repeat it under its key. */
export function lossOf(error: unknown, url: string): ClientProblem {
  const cause = causeOf(error);
  const found = codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  const isSafe = NOT_SENT.has(found);
  return {
    code: isSafe ? 'unreachable' : 'connection_lost',
    status: 0,
    detail: isSafe ? `Nobody answers at ${url}.` : `The connection to ${url} was lost before the answer came.`,
    found,
    next: isSafe ? 'Start one: workcenter up' : 'Send it again with the same Idempotency-Key.',
  };
}
