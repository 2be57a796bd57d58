import { z } from '@hono/zod-openapi';
import { CAN, EXECUTOR, MORE, orNull, STANDING, STRENGTH, USAGE } from './schemas.ts';

/** Shapes of what is done for an item: Actions, Runs, model requests, proof, effects outside. */

/** One line of a list. */
export const ACTION_LINE = z
  .object({
    id: z.string(),
    ordinal: z.number().int(),
    name: z.string(),
    type: z.string(),
    status: z.enum(['ready', 'running', 'waiting', 'completed', 'failed', 'closed', 'superseded', 'cancelled']),
    lastRunStatus: z
      .string()
      .nullable()
      .openapi({ description: 'How its last Run ended; `unknown`: nobody knows whether it took effect.' }),
    generation: z.number().int().openapi({ description: 'Send it when changing the Action: another is not touched.' }),
    executor: EXECUTOR,
    runId: z.string().nullable().openapi({ description: 'The Run that is live.' }),
    attempts: z.number().int().openapi({ description: 'Charged to this generation.' }),
    runs: z.number().int().openapi({ description: 'Of all generations.' }),
    messages: z.number().int().openapi({ description: 'Written to this generation.' }),
    for: z.array(z.string()).openapi({ description: 'Criteria, Actions that block, or `delivery`.' }),
    dependsOn: z.array(z.string()),
    sharesFilesWith: z
      .array(z.string())
      .openapi({
        description: 'Other Actions that changed a file which it changed, too, and neither builds on the other.',
      }),
    wallMs: z.number().openapi({ description: 'How long its ended Runs took together.' }),
    can: z
      .object({ retry: CAN, redirect: CAN, close: CAN, message: CAN })
      .openapi('ActionCan', { description: 'For each change of the Action: whether it may be asked for now.' }),
  })
  .openapi('ActionLine');

export const PAGE_OF_ACTIONS = z
  .object({ actions: z.array(ACTION_LINE), total: z.number().int(), nextCursor: MORE })
  .openapi('ActionPage');

const EVIDENCE = z
  .object({
    kind: z.string(),
    label: z.string(),
    ref: z
      .string()
      .optional()
      .openapi({ description: 'A path in the project, a commit, a URL, or the hash of a content.' }),
    status: z.string().optional(),
  })
  .openapi('Evidence', { description: 'What an executor showed for its result; untrusted words.' });

const RESULT = z
  .object({
    runId: z.string(),
    summary: z.string(),
    review: z.enum(['approved', 'changes_requested']).nullable(),
    evidence: z.array(EVIDENCE),
    claims: z.array(z.object({ criterionId: z.string(), status: z.string(), evidence: z.string() })),
    outputs: z.array(z.object({ kind: z.string(), ref: z.string() })),
    commit: z.string().nullable(),
    changedPaths: z.array(z.string()).openapi({ description: 'The first 200.' }),
    changed: z.number().int().openapi({ description: 'How many paths there are.' }),
  })
  .openapi('ActionResult');

const MERGE = z
  .union([
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('merged'), head: z.string() }),
    z.object({ kind: z.literal('conflict'), paths: z.array(z.string()), ours: z.string(), theirs: z.string() }),
  ])
  .openapi('Merge', { description: 'What became of its commit on the branch of the item.' });

export const ACTION = ACTION_LINE.extend({
  contractVersion: z.number().int(),
  brief: z.object({ objective: z.string(), approach: z.string().nullable(), expectedOutcome: z.string().nullable() }),
  workspace: z.string(),
  effects: z
    .enum(['none', 'external'])
    .openapi({ description: '`external`: it acts outside, and is never repeated by itself.' }),
  timeoutSec: z.number(),
  rationale: z.string().nullable(),
  guidance: z.array(z.string()).openapi({ description: 'What was said to it since it was commissioned.' }),
  readyAt: z.number().openapi({ description: 'Not started before; milliseconds since 1970.' }),
  result: RESULT.nullable(),
  merge: MERGE,
  lastRun: z
    .object({
      id: z.string(),
      status: z.string(),
      code: z.string().nullable(),
      summary: z.string(),
      error: z.string().nullable(),
    })
    .nullable(),
  failureCode: z.string().nullable(),
  closeReason: z.string().nullable(),
  usage: USAGE,
}).openapi('Action');

const MANIFEST = z
  .object({
    vp: z.string(),
    vpHash: z.string(),
    model: z.string(),
    effort: z.string().optional(),
    tools: z.array(z.string()),
    policyHash: z.string(),
    systemHash: z.string(),
    contextHash: z.string(),
    omitted: z.array(z.string()),
    contractVersion: z.number().int(),
  })
  .openapi('AgentManifest', {
    description: 'What the agent was made of; the prompts are contents under their hashes.',
  });

const TRY = z
  .object({ verdict: z.string(), exitCode: z.number().nullable(), tail: z.string() })
  .openapi('BaseRun', { description: 'A check as it ran before the work.' });

export const RECEIPT = z
  .object({
    criterionId: z.string(),
    criterionVersion: z.number().int(),
    verdict: z.string(),
    command: z.string(),
    at: z.string().openapi({ description: 'Commit that was checked, or `content:HASH` without git.' }),
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    base: TRY.nullable().openapi({ description: 'The same command before the work.' }),
    log: z
      .object({ hash: z.string(), bytes: z.number(), tail: z.string() })
      .openapi({ description: 'The whole is at `…/contents/{hash}`.' }),
    flags: z.array(z.string()).openapi({ description: 'What to beware of, such as `tests_changed`.' }),
    changed: z.array(z.string()).openapi({ description: 'Paths behind the flags.' }),
    diffHash: z.string().nullable().openapi({ description: 'Their diff, at `…/contents/{hash}`.' }),
    engine: z.string().openapi({ description: 'Version of the engine that ran it.' }),
  })
  .openapi('Receipt');

export const RUN_LINE = z
  .object({
    id: z.string(),
    actionId: z.string(),
    generation: z.number().int(),
    ordinal: z.number().int(),
    status: z.enum([
      ...([
        'running',
        'completed',
        'waiting',
        'retryable',
        'failed',
        'interrupted',
        'cancelled',
        'superseded',
      ] as const),
      'unknown',
    ]),
    startedAt: z.number(),
    dispatchedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    base: z.string().nullable().openapi({ description: 'Commit that it started from.' }),
    commit: z.string().nullable().openapi({ description: 'What it made.' }),
    code: z.string().nullable().openapi({ description: 'Why it did not complete.' }),
    summary: z.string(),
    error: z.string().nullable(),
    attemptCharged: z.boolean(),
    usage: orNull(USAGE),
  })
  .openapi('RunLine');

export const RUN = RUN_LINE.extend({
  epoch: z.number().int().openapi({ description: 'Of its lease; only grows.' }),
  owner: z.string().openapi({ description: 'The worker that carried it.' }),
  alone: z
    .boolean()
    .openapi({ description: 'Nothing else ran beside it, for it was suspected of killing its engine.' }),
  enforcement: z
    .object({
      sandbox: z.enum(['bubblewrap', 'none']),
      filesystem: z.boolean(),
      network: z.boolean(),
      processes: z.boolean(),
      reason: z.string().optional(),
    })
    .nullable()
    .openapi({ description: 'What the sandbox held it to.' }),
  agent: z.union([MANIFEST, z.null()]),
  receipts: z.array(RECEIPT),
}).openapi('Run');

export const PAGE_OF_RUNS = z.object({ runs: z.array(RUN_LINE), nextCursor: MORE }).openapi('RunPage');

const CHARGE = z
  .object({ tokens: z.number(), costMicros: z.number().nullable() })
  .openapi('Charge', { description: 'Millionths of a US dollar; null: the model has no price.' });

export const CALL = z
  .object({
    id: z.string(),
    seq: z.number().int(),
    owner: z.object({ kind: z.enum(['run', 'turn']), id: z.string(), actionId: z.string().nullable() }),
    n: z.number().int(),
    model: z.string(),
    status: z.enum(['prepared', 'dispatching', 'rejected', 'responded', 'unknown', 'abandoned']),
    tries: z.number().int(),
    tokens: z
      .object({
        input: z.number(),
        output: z.number(),
        cacheRead: z.number(),
        cacheWrite: z.number(),
        reasoning: z.number(),
      })
      .nullable()
      .openapi({ description: 'As the provider told them; null when it did not.' }),
    estimate: CHARGE,
    charged: orNull(CHARGE),
    requestHash: z.string(),
    responseHash: z.string().nullable(),
    stop: z.string().nullable(),
    code: z.string().nullable(),
    error: z.string().nullable(),
    preparedAt: z.number(),
    dispatchedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
  })
  .openapi('ModelRequest', { description: 'What was sent and answered are contents under the hashes.' });

export const PAGE_OF_CALLS = z.object({ calls: z.array(CALL), nextCursor: MORE }).openapi('ModelRequestPage');

const SPAN = z
  .object({
    kind: z.enum(['run', 'turn']),
    id: z.string().openapi({ description: 'The Run; or the turn, which comes once for each of its model requests.' }),
    actionId: z.string().nullable().openapi({ description: 'Null for a turn.' }),
    ordinal: z.number().int().openapi({ description: 'Of the Run; or which request of the turn it is.' }),
    startedAt: z.number(),
    endedAt: z.number().nullable().openapi({ description: 'Null while it goes on.' }),
    status: z.string().openapi({ description: 'Of the Run, or of the model request.' }),
    code: z
      .string()
      .nullable()
      .openapi({
        description: 'Why a Run failed; `claim_refused`: the check of the engine did not find what it claimed.',
      }),
  })
  .openapi('Span', { description: 'Something that took time.' });

const SPAN_OWNER = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: EXECUTOR.shape.kind,
    dependsOn: z.array(z.string()),
    workspace: z
      .enum(['in-place', 'shared', 'isolated-write', 'integrate', 'read'])
      .openapi({
        description:
          'Where it works: in the directory itself, in the one clone that such Actions share, or in one of its own.',
      }),
    merge: z
      .enum(['none', 'merged', 'conflict'])
      .openapi({
        description: 'What became of what it wrote, on the branch of the item; `none` also where it wrote nothing.',
      }),
  })
  .openapi('TimelineAction');

export const PAGE_OF_TIMELINE = z
  .object({
    spans: z.array(SPAN),
    actions: z.array(SPAN_OWNER).openapi({ description: 'Those that the Runs of this page are of.' }),
    nextCursor: MORE,
  })
  .openapi('TimelinePage');

export const PROOF = z
  .object({
    id: z.string(),
    version: z.number().int(),
    text: z.string(),
    check: z.string().nullable(),
    minProof: z.string(),
    standing: STANDING,
    proof: z.union([STRENGTH, z.null()]),
    flags: z.array(z.string()),
    staledBy: z.string().nullable(),
    claim: z
      .object({
        status: z.enum(['passed', 'failed']),
        by: z.enum(['machine', 'executor']),
        actionId: z.string(),
        generation: z.number().int(),
        runId: z.string(),
        at: z.number(),
        evidence: z.string(),
        receipt: orNull(RECEIPT),
      })
      .nullable()
      .openapi({ description: 'The claim that decided.' }),
  })
  .openapi('Proof');

export const PAGE_OF_PROOF = z.object({ criteria: z.array(PROOF), nextCursor: MORE }).openapi('ProofPage');

export const OPERATION = z
  .object({
    id: z.string(),
    actionId: z.string(),
    runId: z.string(),
    what: z.string(),
    tool: z.string().nullable(),
    effect: z.enum(['pending', 'applied', 'not_applied', 'unknown']),
    can: z.object({ resolve: CAN }),
  })
  .openapi('Operation', { description: 'Something that acts outside, once.' });

export const PAGE_OF_OPERATIONS = z
  .object({ operations: z.array(OPERATION), nextCursor: MORE })
  .openapi('OperationPage');
