import { z } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import type { Rejection } from '../core/index.ts';
import { type ProblemCode, statusOfCode, TITLES } from './codes.ts';

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

export interface Refusal extends Pick<Rejection, 'message' | 'expected' | 'found' | 'next'> {
  readonly code: ProblemCode;
}

/** Fits every route: the types of routes know answers in plain JSON only. */
export type ProblemResponse = Response & TypedResponse<never, never, never>;

/** The document of a refusal; side writes of a rejection are the store's business and leave nothing here. */
export function problemOf({ code, message, expected, found, next }: Refusal) {
  const status = statusOfCode(code);
  return {
    type: 'about:blank' as const,
    title: TITLES[status],
    status,
    code,
    detail: message,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(next === undefined ? {} : { next }),
  };
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Answers a refusal. */
export function problem(context: Context, refusal: Refusal): ProblemResponse {
  const body = problemOf(refusal);
  if (body.status === 503) context.header('Retry-After', '1');
  const response: Response = context.json(body, body.status, { 'Content-Type': PROBLEM_TYPE });
  return response as ProblemResponse;
}
