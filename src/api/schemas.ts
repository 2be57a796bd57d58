import { z } from '@hono/zod-openapi';

/** Shapes of the API; the document and the client's types are made from them. */

/** A named schema or null; `.nullable()` of one loses the null in the document. */
export const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

/** A field whose name does not say it all. */
const said = <S extends z.ZodType>(schema: S, description: string): S => schema.openapi({ description });

const whole = z.number().int();
const atMs = (what: string) => said(z.number(), `${what}; milliseconds since 1970.`);
const atIso = (what: string) => said(z.string(), `${what}; ISO 8601.`);

export const MORE = z
  .string()
  .optional()
  .openapi({ description: 'Send it as `cursor` for the next page; none: this was the last.' });

export const CAN = z
  .union([z.object({ allowed: z.literal(true) }), z.object({ allowed: z.literal(false), reason: z.string() })])
  .openapi('Can', { description: 'Whether it may be asked for now; when not, why.' });

export const USAGE = z
  .object({
    wallMs: said(z.number(), 'Milliseconds that Runs have worked.'),
    requests: said(z.number(), 'To models.'),
    tokens: said(z.number(), 'Cache reads weighed by their price.'),
    costMicros: z.number().openapi({ description: 'Millionths of a US dollar.' }),
    unpriced: z.number().openapi({ description: 'Requests to models without a price.' }),
    metered: said(z.boolean(), 'False: an executor that reports no usage took part.'),
  })
  .openapi('Usage');

const LANE = z.enum(['needs_you', 'active', 'done', 'draft']).openapi('Lane');
const COUNTS = z
  .record(LANE, whole)
  .openapi('LaneCounts', { description: 'Items in each lane; of one directory, where one was asked for.' });

const MARK = z
  .enum(['machine', 'independent', 'self', 'failed', 'stale', 'weak', 'working', 'missing'])
  .openapi('ProofMark', { description: 'Proven and by what, else what is wrong, else whether a Run is at it.' });

export const EXECUTOR = z
  .object({ kind: z.enum(['command', 'agent', 'verify']), who: z.string(), model: z.string().nullable() })
  .openapi('Executor', { description: '`who`: a VP, the identity of a command, or the engine.' });

export const SUMMARY = z
  .object({
    id: z.string(),
    version: said(whole, 'Grows with every event; the larger of two is the newer.'),
    title: z.string(),
    directory: said(z.string(), 'The project that it is about, on the machine of the server.'),
    lifecycle: z.enum(['draft', 'open', 'cancelling', 'cancelled', 'done']),
    holdCode: z.string().optional().openapi({ description: 'Why nothing of it is started now.' }),
    lane: LANE,
    proven: said(whole, 'Criteria with fresh proof.'),
    total: said(whole, 'Criteria.'),
    marks: z
      .array(MARK)
      .optional()
      .openapi({
        description: 'How each criterion stands; left out of items that did not move since an older version.',
      }),
    costLimitMicros: z.number().nullable().openapi({ description: 'Millionths of a US dollar; null: no limit.' }),
    openRequests: said(whole, 'Questions and approvals that wait for a person.'),
    running: said(whole, 'Live Runs.'),
    atWork: said(
      z.array(EXECUTOR),
      'Who carries out those that do not wait for leave, each once; four of them at most.',
    ),
    usage: USAGE,
    createdAt: atMs('When it was created'),
    updatedAt: atMs('When something last happened'),
    statusSentence: said(z.string(), 'How it stands, in words that every surface uses.'),
    quarantined: z
      .string()
      .optional()
      .openapi({ description: 'Why it cannot be read; `workcenter doctor` tells more.' }),
  })
  .openapi('ItemSummary');

const DIRECTORY = z
  .object({ directory: z.string(), counts: COUNTS })
  .openapi('DirectoryFacet', { description: 'A directory to narrow a list by.' });

export const PAGE_OF_DIRECTORIES = z
  .object({ directories: z.array(DIRECTORY), nextCursor: MORE })
  .openapi('DirectoryPage');

export const PAGE_OF_ITEMS = z
  .object({ items: z.array(SUMMARY), nextCursor: MORE, counts: COUNTS, facets: PAGE_OF_DIRECTORIES.optional() })
  .openapi('ItemPage');

export const STANDING = z
  .enum(['passed', 'failed', 'stale', 'weak', 'unmet'])
  .openapi('Standing', {
    description: '`stale`: a later write took its proof; `weak`: less proof than was asked for.',
  });
export const STRENGTH = z
  .enum(['machine', 'independent', 'self'])
  .openapi('ProofStrength', {
    description: 'Who showed it: the engine itself, an executor other than the writer, or the writer.',
  });

const CRITERION = z
  .object({
    id: z.string(),
    text: z.string(),
    check: said(z.string().nullable(), 'The command that decides it.'),
    minProof: said(z.string(), 'The proof that it takes.'),
    standing: STANDING,
    proof: z.union([STRENGTH, z.null()]),
    flags: said(z.array(z.string()), 'What the receipt warns of.'),
    staledBy: said(z.string().nullable(), 'The Action whose write made its proof stale.'),
  })
  .openapi('CriterionLine');

/** A file of an item; its bytes are at `…/contents/{hash}`. */
export const ATTACHED = z
  .object({
    name: z.string(),
    mediaType: z.string(),
    bytes: whole,
    hash: said(z.string(), 'SHA-256; GET …/contents/{hash} has the bytes.'),
  })
  .openapi('Attachment');

export const UPLOAD = z
  .object({
    id: said(z.string(), 'Name it under `attachments` of a goal, a message or an answer.'),
    name: z.string(),
    mediaType: said(z.string(), 'What its bytes are.'),
    bytes: whole,
    sha256: z.string(),
    expiresAt: atIso('Until when it may be named'),
  })
  .openapi('Upload');

const ITEM_CAN = z
  .object({ start: CAN, stop: CAN, reopen: CAN, resume: CAN, extend: CAN, message: CAN, edit: CAN, rerun: CAN })
  .openapi('ItemCan', { description: 'For each change of the item: whether it may be asked for now.' });

export const HEAD = z
  .object({
    id: z.string(),
    version: said(whole, 'Grows with every event, and is the ETag.'),
    contractVersion: said(whole, 'Send it as `If-Match` when changing the contract.'),
    controlVersion: said(whole, 'Send it when resuming and extending.'),
    title: z.string(),
    goal: z.string(),
    status: said(
      z.string(),
      'draft, deciding, ready, running, waiting, needs_attention, cancelling, cancelled or done.',
    ),
    lane: LANE,
    sentence: said(z.string(), 'How it stands, in words that every surface uses.'),
    plan: said(z.string(), 'coordinated, graph or linear.'),
    directory: z.string(),
    delivery: z.object({ target: z.string(), branch: z.string().optional() }),
    criteria: z.array(CRITERION),
    counts: z.object({ actions: z.number(), running: z.number(), requests: z.number() }),
    usage: USAGE,
    estimated: said(
      z.object({ requests: whole, tokens: z.number(), costMicros: z.number() }),
      'The part of `usage` of requests whose end nobody knows, the newest 20 of them: charged at the estimate.',
    ),
    limits: said(z.record(z.string(), z.union([z.number(), z.boolean(), z.null()])), 'null: none.'),
    hold: said(
      z.object({ code: z.string(), at: atIso('Since when'), details: z.string() }).nullable(),
      'Nothing is started until a person resumes it.',
    ),
    parkedUntil: said(z.string().nullable(), 'When it is looked at again; ISO 8601.'),
    origin: said(
      z.object({ client: z.string(), sessionId: z.string().optional(), messageId: z.string().optional() }).nullable(),
      'The tool that created it; lists can be narrowed by it.',
    ),
    attachments: said(z.array(ATTACHED), 'All files that came with the goal, messages and answers.'),
    result: z
      .object({
        summary: z.string(),
        commit: z.string().nullable(),
        branch: z.string().nullable(),
        pullRequest: z.string().nullable(),
        residualRisks: z.array(z.string()),
      })
      .nullable(),
    can: ITEM_CAN,
    createdAt: atIso('When it was created'),
    updatedAt: atIso('When something last happened'),
  })
  .openapi('Item');

/** An event as it is stored; `body.type` names it. */
export const EVENT = z
  .object({
    seq: said(whole, 'From 1 without gaps; what the stream has as its id.'),
    at: atMs('When it happened'),
    body: z.looseObject({ type: z.string() }),
  })
  .openapi('Event');

const OTHERS = said(z.boolean(), 'Others follow in the direction that was asked for.');

export const PAGE_OF_EVENTS = z.object({ events: z.array(EVENT), more: OTHERS }).openapi('EventPage');

export const ENTRY = z
  .object({
    seq: said(whole, 'The event that brought it: the order of entries.'),
    id: z.string(),
    at: atMs('When it was said'),
    author: z.enum(['person', 'coordinator']),
    target: said(z.object({ kind: z.string(), id: z.string().nullable() }), 'Whom it is for, or what it answers.'),
    text: z.string(),
    quote: said(z.object({ from: z.string(), text: z.string() }).nullable(), 'Words of another that it is about.'),
    attachments: z.array(ATTACHED),
    delivery: said(
      z.enum(['queued', 'scheduled', 'delivered', 'blocked', 'rejected']),
      '`blocked` and `rejected`: nobody will hear it; `detail` says why.',
    ),
    detail: z.string().nullable(),
  })
  .openapi('Entry');

export const PAGE_OF_ENTRIES = z.object({ entries: z.array(ENTRY), more: OTHERS }).openapi('EntryPage');

export const REQUEST = z
  .object({
    id: z.string(),
    kind: z.enum(['question', 'approval', 'confirmation', 'recovery']),
    subject: said(z.looseObject({ kind: z.string() }), 'What it blocks; `kind` says what else is in it.'),
    question: z.string(),
    details: z.array(z.string()),
    choices: said(z.array(z.string()), 'One of these is the answer; `text`: free words.'),
    options: z.array(z.string()).optional().openapi({ description: 'Proposed words where `text` is a choice.' }),
    openedAt: atMs('When it was asked'),
    can: z.object({ answer: CAN }),
  })
  .openapi('Request');

export const PAGE_OF_REQUESTS = z.object({ requests: z.array(REQUEST), nextCursor: MORE }).openapi('RequestPage');

/** What a change led to: the head as it is now. */
export const CHANGED = HEAD;
