import { z } from '@hono/zod-openapi';
import { CONTRACT_LIMITS, LIMIT_MAX, MESSAGE_LIMITS, MIN_PROOFS } from '../../core/index.ts';
import { orNull } from '../schemas.ts';

/** What a person may send of a contract; the same words as a plan file, with seconds for times. */

const NETWORK = z.enum(['none', 'loopback', 'all']);
const COMMAND = z.string().min(1).max(8_000);
const PATH = z.string().min(1).max(4_096);
const SECONDS = z.number().int().min(1).max(CONTRACT_LIMITS.checkTimeoutMaxSec);
const INSTRUCTIONS_CHARS = 20_000;

const CHECK = z
  .union([
    COMMAND,
    z.strictObject({
      run: COMMAND,
      cwd: PATH.optional(),
      env: z.record(z.string().max(256), z.string().max(8_000)).optional(),
      timeoutSec: SECONDS.optional(),
      expectExit: z.number().int().min(0).max(255).optional(),
      expectOutput: z.string().min(1).max(2_000).optional(),
      protect: z.array(PATH).max(100).optional(),
      network: NETWORK.optional(),
    }),
  ])
  .openapi('NewCheck', { description: 'A command that the engine itself runs to decide the criterion.' });

const CRITERION = z
  .strictObject({
    id: z.string().min(1).max(32).optional().openapi({ description: 'c1, c2… by position unless given.' }),
    text: z.string().min(1).max(CONTRACT_LIMITS.criterionChars),
    check: CHECK.optional(),
    minProof: z.enum(MIN_PROOFS).optional(),
  })
  .openapi('NewCriterion');

const SETUP = z
  .union([
    COMMAND,
    z.strictObject({
      run: COMMAND,
      inputs: z.array(PATH).max(100).optional(),
      network: NETWORK.optional(),
      timeoutSec: SECONDS.optional(),
    }),
  ])
  .openapi('NewSetup', { description: 'What must run before checks and Actions.' });

export const DELIVERY_TARGET = z.enum(['response', 'workspace_files', 'pull_request', 'merge']);

const DELIVERY = z
  .strictObject({ target: DELIVERY_TARGET, branch: z.string().min(1).max(256).optional() })
  .openapi('NewDelivery');

const title = z.string().max(CONTRACT_LIMITS.titleChars);
const goal = z.string().min(1).max(CONTRACT_LIMITS.goalChars);
const criteria = z.array(CRITERION).min(1).max(CONTRACT_LIMITS.criteriaMax);
const instructions = z.string().max(INSTRUCTIONS_CHARS);

const amount = z.number().int().min(1).max(LIMIT_MAX);
const tokens = z
  .number()
  .int()
  .min(1)
  .max(LIMIT_MAX * 1_000);

/** Limits in their own units; `costMicros` is millionths of a US dollar. */
export const AMOUNTS = z.strictObject({
  wallClockSec: amount.optional(),
  attempts: amount.optional(),
  requests: amount.optional(),
  tokens: tokens.optional(),
  runRequests: amount.optional(),
  costMicros: tokens.optional(),
});

const ORIGIN = z.strictObject({
  client: z.string().min(1).max(128),
  sessionId: z.string().max(256).optional(),
  messageId: z.string().max(256).optional(),
});

const BACKGROUND = z
  .array(
    z.strictObject({
      role: z.enum(['user', 'assistant']),
      text: z.string().max(MESSAGE_LIMITS.backgroundMessageChars),
    }),
  )
  .max(MESSAGE_LIMITS.backgroundMessages);

/** More are read than may be used, so that the refusal is the one of attachments. */
export const ATTACHMENTS = z
  .array(z.string().min(1).max(64))
  .max(100)
  .openapi({
    description: 'Ids of files that were sent to POST /attachments; at most 10 for one item, 50 MiB in all.',
  });

export const DIRECTORY = PATH.regex(/^\//, 'an absolute path').openapi({
  description: 'Absolute path of the project.',
});
const DIRTY = z.enum(['refuse', 'snapshot', 'in-place']).default('refuse');

export const NEW_ITEM = z
  .strictObject({
    goal,
    title: title.optional(),
    criteria: criteria.optional().openapi({ description: 'Without any, the goal itself is c1.' }),
    setup: SETUP.optional(),
    delivery: DELIVERY.optional().openapi({ description: 'workspace_files unless given.' }),
    instructions: instructions.optional(),
    directory: DIRECTORY,
    dirty: DIRTY,
    inPlace: z.boolean().default(false),
    limits: AMOUNTS.extend({ allowUnmetered: z.boolean().optional() }).optional(),
    origin: ORIGIN.optional(),
    background: BACKGROUND.optional(),
    attachments: ATTACHMENTS.optional(),
    reuseMemory: z.boolean().default(true),
    start: z.boolean().default(true).openapi({ description: 'false: it stays a draft.' }),
  })
  .openapi('NewItem');

export type NewItem = z.output<typeof NEW_ITEM>;

/** A check on its own, with all that its base run would have. */
export const NEW_TRIAL = z
  .strictObject({
    directory: DIRECTORY,
    setup: SETUP.optional(),
    check: CHECK,
    dirty: DIRTY,
    inPlace: z.boolean().default(false),
  })
  .openapi('NewTrial');

export type NewTrial = z.output<typeof NEW_TRIAL>;

/** The parts that change; what is not sent stays. Criteria come as a whole list; null takes a part away. */
export const CONTRACT_PATCH = z
  .strictObject({
    title: title.optional(),
    goal: goal.optional(),
    criteria: criteria.optional(),
    setup: orNull(SETUP).optional(),
    delivery: DELIVERY.optional(),
    instructions: instructions.nullable().optional(),
  })
  .openapi('ContractPatch');

export type ContractPatch = z.output<typeof CONTRACT_PATCH>;

const text = z.string();

export const CONTRACT = z
  .object({
    version: z.number().int(),
    title: text,
    goal: text,
    instructions: text.nullable(),
    criteria: z.array(
      z.object({
        id: text,
        text,
        minProof: z.enum(MIN_PROOFS),
        check: z
          .object({
            run: text,
            cwd: text.optional(),
            env: z.record(text, text).optional(),
            timeoutSec: z.number(),
            expectExit: z.number(),
            expectOutput: text.optional(),
            protect: z.array(text),
            network: NETWORK,
          })
          .optional(),
      }),
    ),
    setup: z.object({ run: text, inputs: z.array(text), network: NETWORK, timeoutSec: z.number() }).nullable(),
    delivery: DELIVERY,
    directory: text,
    workspace: z.enum(['isolated', 'in-place']),
  })
  .openapi('Contract', { description: 'Parts may be sent back as they are; version, directory, workspace stay.' });
