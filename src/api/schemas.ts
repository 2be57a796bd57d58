import { z } from '@hono/zod-openapi';

/** Shapes of the API; the document and the client's types are made from them. */

export const CAN = z
  .union([z.object({ allowed: z.literal(true) }), z.object({ allowed: z.literal(false), reason: z.string() })])
  .openapi('Can');

export const USAGE = z
  .object({
    wallMs: z.number(),
    requests: z.number(),
    tokens: z.number(),
    costMicros: z.number().openapi({ description: 'Millionths of a US dollar.' }),
    unpriced: z.number().openapi({ description: 'Requests to models without a price.' }),
    metered: z.boolean(),
  })
  .openapi('Usage');

const LANE = z.enum(['needs_you', 'active', 'done', 'draft']);

export const SUMMARY = z
  .object({
    id: z.string(),
    version: z.number().int(),
    title: z.string(),
    directory: z.string(),
    lifecycle: z.string(),
    holdCode: z.string().optional(),
    lane: LANE,
    proven: z.number().int(),
    total: z.number().int(),
    openRequests: z.number().int(),
    running: z.number().int(),
    usage: USAGE,
    createdAt: z.number(),
    updatedAt: z.number(),
    statusSentence: z.string(),
    quarantined: z.string().optional(),
  })
  .openapi('ItemSummary');

export const PAGE_OF_ITEMS = z
  .object({ items: z.array(SUMMARY), nextCursor: z.string().optional(), counts: z.record(LANE, z.number().int()) })
  .openapi('ItemPage');

const CRITERION = z.object({
  id: z.string(),
  text: z.string(),
  check: z.string().nullable(),
  minProof: z.string(),
  standing: z.enum(['passed', 'failed', 'stale', 'weak', 'unmet']),
  proof: z.enum(['machine', 'independent', 'self']).nullable(),
  flags: z.array(z.string()),
  staledBy: z.string().nullable(),
});

export const HEAD = z
  .object({
    id: z.string(),
    version: z.number().int(),
    contractVersion: z.number().int(),
    controlVersion: z.number().int(),
    title: z.string(),
    goal: z.string(),
    status: z.string(),
    lane: LANE,
    sentence: z.string(),
    plan: z.string(),
    directory: z.string(),
    delivery: z.object({ target: z.string(), branch: z.string().optional() }),
    criteria: z.array(CRITERION),
    counts: z.object({ actions: z.number(), running: z.number(), requests: z.number() }),
    usage: USAGE,
    limits: z.record(z.string(), z.union([z.number(), z.boolean(), z.null()])),
    hold: z.object({ code: z.string(), at: z.string(), details: z.string() }).nullable(),
    parkedUntil: z.string().nullable(),
    result: z
      .object({
        summary: z.string(),
        commit: z.string().nullable(),
        branch: z.string().nullable(),
        pullRequest: z.string().nullable(),
        residualRisks: z.array(z.string()),
      })
      .nullable(),
    can: z.record(z.string(), CAN),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .openapi('Item');

/** An event as it is stored; `body.type` names it. */
export const EVENT = z
  .object({ seq: z.number().int(), at: z.number(), body: z.looseObject({ type: z.string() }) })
  .openapi('Event');

export const ENTRY = z
  .object({
    seq: z.number().int(),
    id: z.string(),
    at: z.number(),
    author: z.enum(['person', 'coordinator']),
    target: z.object({ kind: z.string(), id: z.string().nullable() }),
    text: z.string(),
    quote: z.object({ from: z.string(), text: z.string() }).nullable(),
    attachments: z.array(z.object({ name: z.string(), bytes: z.number(), mediaType: z.string() })),
    delivery: z.enum(['queued', 'scheduled', 'delivered', 'blocked', 'rejected']),
    detail: z.string().nullable(),
  })
  .openapi('Entry');

export const REQUEST = z
  .object({
    id: z.string(),
    kind: z.enum(['question', 'approval', 'confirmation', 'recovery']),
    subject: z.looseObject({ kind: z.string() }),
    question: z.string(),
    details: z.array(z.string()),
    choices: z.array(z.string()),
    options: z.array(z.string()).optional(),
    openedAt: z.number(),
  })
  .openapi('Request');

/** What a change led to: the head as it is now. */
export const CHANGED = HEAD;
