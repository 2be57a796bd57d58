import { z } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import type { Rejection, RejectionCode } from '../core/index.ts';

/** A refusal as RFC 9457 has it; `code` is the one that every surface uses. */
export const PROBLEM = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.number().int(),
    code: z.string().openapi({ example: 'item_not_found' }),
    detail: z.string(),
    expected: z.string().optional(),
    found: z.string().optional(),
    next: z.string().optional().openapi({ description: 'What to do next.' }),
  })
  .openapi('Problem');

type ProblemCode =
  | RejectionCode
  | 'invalid_request'
  | 'unsupported_media_type'
  | 'route_not_found'
  | 'run_not_found'
  | 'cannot_create'
  | 'foreign_origin'
  | 'foreign_host'
  | 'internal';
type Status = 400 | 403 | 404 | 409 | 415 | 422 | 500 | 503;

const NOT_FOUND: ReadonlySet<string> = new Set([
  ...['item_not_found', 'action_not_found', 'request_not_found', 'operation_not_found', 'call_not_found'],
  ...['route_not_found', 'run_not_found'],
]);
const UNPROCESSABLE: ReadonlySet<string> = new Set([
  ...['invalid_contract', 'invalid_plan', 'invalid_field', 'invalid_decision', 'choice_not_offered'],
  'idempotency_mismatch',
]);
const FORBIDDEN: ReadonlySet<string> = new Set(['user_required', 'foreign_origin', 'foreign_host']);

/** The status of a code: what is wrong with the address, the body, the authority, or the state it met. */
export function statusOfCode(code: string): Status {
  if (NOT_FOUND.has(code)) return 404;
  if (UNPROCESSABLE.has(code)) return 422;
  if (FORBIDDEN.has(code)) return 403;
  if (code === 'invalid_request') return 400;
  if (code === 'unsupported_media_type') return 415;
  if (code === 'store_busy') return 503;
  return code === 'internal' ? 500 : 409;
}

const TITLES: Readonly<Record<Status, string>> = {
  400: 'The request cannot be read',
  403: 'Not allowed',
  404: 'Not found',
  409: 'It does not fit what is',
  415: 'Not a kind of body that is read here',
  422: 'Not acceptable as it is',
  500: 'A defect of ours',
  503: 'Try again',
};

export interface Refusal extends Pick<Rejection, 'message' | 'expected' | 'found' | 'next'> {
  readonly code: ProblemCode;
}

/** Fits every route: the types of routes know answers in plain JSON only. */
export type ProblemResponse = Response & TypedResponse<never, never, never>;

/** Answers a refusal; side writes of a rejection are the door's business and leave nothing here. */
export function problem(context: Context, { code, message, expected, found, next }: Refusal): ProblemResponse {
  const status = statusOfCode(code);
  if (status === 503) context.header('Retry-After', '1');
  const body = {
    type: 'about:blank' as const,
    title: TITLES[status],
    status,
    code,
    detail: message,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(next === undefined ? {} : { next }),
  };
  const response: Response = context.json(body, status, { 'Content-Type': 'application/problem+json' });
  return response as ProblemResponse;
}
