import { z } from '@hono/zod-openapi';
import { CAN, USAGE } from './schemas.ts';

/** Shapes of what is done for an item: Actions, Runs, model requests, proof, effects outside. */

const EXECUTOR = z
  .object({ kind: z.enum(['command', 'agent', 'verify']), who: z.string(), model: z.string().nullable() })
  .openapi('Executor', { description: '`who`: a VP, the identity of a command, or the engine.' });

/** One line of a list. */
export const ACTION_LINE = z
  .object({
    id: z.string(),
    ordinal: z.number().int(),
    name: z.string(),
    type: z.string(),
    status: z.string(),
    generation: z.number().int(),
    executor: EXECUTOR,
    runId: z.string().nullable(),
    attempts: z.number().int(),
    runs: z.number().int(),
    messages: z.number().int().openapi({ description: 'Written to this generation.' }),
    can: z.record(z.string(), CAN),
  })
  .openapi('ActionLine');

export const PAGE_OF_ACTIONS = z
  .object({ actions: z.array(ACTION_LINE), total: z.number().int(), nextCursor: z.string().optional() })
  .openapi('ActionPage');

const EVIDENCE = z.object({
  kind: z.string(),
  label: z.string(),
  ref: z.string().optional(),
  status: z.string().optional(),
});

const RESULT = z.object({
  runId: z.string(),
  summary: z.string(),
  review: z.enum(['approved', 'changes_requested']).nullable(),
  evidence: z.array(EVIDENCE),
  claims: z.array(z.object({ criterionId: z.string(), status: z.string(), evidence: z.string() })),
  outputs: z.array(z.object({ kind: z.string(), ref: z.string() })),
  commit: z.string().nullable(),
  changedPaths: z.array(z.string()).openapi({ description: 'The first 200.' }),
  changed: z.number().int().openapi({ description: 'How many paths there are.' }),
});

const MERGE = z.union([
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('merged'), head: z.string() }),
  z.object({ kind: z.literal('conflict'), paths: z.array(z.string()), ours: z.string(), theirs: z.string() }),
]);

export const ACTION = ACTION_LINE.extend({
  contractVersion: z.number().int(),
  brief: z.object({ objective: z.string(), approach: z.string().nullable(), expectedOutcome: z.string().nullable() }),
  for: z.array(z.string()),
  dependsOn: z.array(z.string()),
  workspace: z.string(),
  effects: z.enum(['none', 'external']),
  timeoutSec: z.number(),
  rationale: z.string().nullable(),
  guidance: z.array(z.string()),
  readyAt: z.number(),
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
  .openapi('AgentManifest');

const TRY = z.object({ verdict: z.string(), exitCode: z.number().nullable(), tail: z.string() });

export const RECEIPT = z
  .object({
    criterionId: z.string(),
    criterionVersion: z.number().int(),
    verdict: z.string(),
    command: z.string(),
    at: z.string().openapi({ description: 'Commit, or `content:<hash>` without git.' }),
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    base: TRY.nullable(),
    log: z.object({ hash: z.string(), bytes: z.number(), tail: z.string() }),
    flags: z.array(z.string()),
    changed: z.array(z.string()),
    diffHash: z.string().nullable(),
    engine: z.string(),
  })
  .openapi('Receipt');

export const RUN_LINE = z
  .object({
    id: z.string(),
    actionId: z.string(),
    generation: z.number().int(),
    ordinal: z.number().int(),
    status: z.string(),
    startedAt: z.number(),
    dispatchedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    base: z.string().nullable(),
    commit: z.string().nullable(),
    code: z.string().nullable(),
    summary: z.string(),
    error: z.string().nullable(),
    attemptCharged: z.boolean(),
    usage: USAGE.nullable(),
  })
  .openapi('RunLine');

export const RUN = RUN_LINE.extend({
  epoch: z.number().int(),
  owner: z.string(),
  alone: z.boolean(),
  enforcement: z
    .object({
      sandbox: z.enum(['bubblewrap', 'none']),
      filesystem: z.boolean(),
      network: z.boolean(),
      processes: z.boolean(),
      reason: z.string().optional(),
    })
    .nullable(),
  agent: MANIFEST.nullable(),
  receipts: z.array(RECEIPT),
}).openapi('Run');

const CHARGE = z.object({ tokens: z.number(), costMicros: z.number().nullable() });

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
    charged: CHARGE.nullable(),
    requestHash: z.string(),
    responseHash: z.string().nullable(),
    stop: z.string().nullable(),
    code: z.string().nullable(),
    error: z.string().nullable(),
    preparedAt: z.number(),
    dispatchedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
  })
  .openapi('ModelRequest');

export const PROOF = z
  .object({
    id: z.string(),
    version: z.number().int(),
    text: z.string(),
    check: z.string().nullable(),
    minProof: z.string(),
    standing: z.enum(['passed', 'failed', 'stale', 'weak', 'unmet']),
    proof: z.enum(['machine', 'independent', 'self']).nullable(),
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
        receipt: RECEIPT.nullable(),
      })
      .nullable()
      .openapi({ description: 'The claim that decided.' }),
  })
  .openapi('Proof');

export const OPERATION = z
  .object({
    id: z.string(),
    actionId: z.string(),
    runId: z.string(),
    what: z.string(),
    tool: z.string().nullable(),
    effect: z.enum(['pending', 'applied', 'not_applied', 'unknown']),
  })
  .openapi('Operation');
