import { z } from 'zod';
import { ACTION_LIMITS, CONTRACT_LIMITS, COORDINATOR_LIMITS, type PlannedAction } from '../../core/index.ts';

/** Bounds of what the model writes, in characters; those that are the core's come from there. */
export const DECISION_LIMITS = Object.freeze({
  idChars: 64,
  nameChars: 120,
  briefChars: 2_000,
  titleChars: 1_000,
  ids: 64,
  candidates: 8,
  commandChars: 4_000,
});

const MODES = [
  'read',
  'shared',
  'isolated-write',
  'integrate',
] as const satisfies readonly PlannedAction['spec']['workspace'][];
const TARGETS = ['response', 'workspace_files', 'pull_request', 'merge'] as const;

const text = (max: number, min = 1) => z.string().min(min).max(max);
const id = text(DECISION_LIMITS.idChars);
const ids = z.array(id).max(DECISION_LIMITS.ids);
const brief = text(DECISION_LIMITS.briefChars);
const reason = text(COORDINATOR_LIMITS.reasonChars);

const action = z.strictObject({
  id: id.exactOptional().describe('A new id; one is made from the type when absent.'),
  type: id.describe('implement, test, review, research, diagnose, design, … or a word of your own.'),
  name: text(DECISION_LIMITS.nameChars).describe('What people see: a few words.'),
  objective: brief.describe('What is to be reached, with everything that its executor cannot know.'),
  approach: brief,
  expectedOutcome: brief,
  for: ids.describe('Ids of the criteria it is for; none where it is for something else.'),
  unblocks: ids.exactOptional().describe('Ids of failed or waiting Actions that it unblocks.'),
  forDelivery: z.boolean().exactOptional(),
  rationale: reason.describe('Why this, and why now.'),
  workspaceMode: z.enum(MODES),
  sources: ids
    .exactOptional()
    .describe('Ids of Actions whose results it is to read; for integrate: those in conflict.'),
  vp: z.array(id).max(DECISION_LIMITS.candidates).exactOptional().describe('Ids of VPs, the best first.'),
  capability: id.exactOptional().describe('Used instead of vp: the best VP for it is chosen.'),
  assignmentReason: text(1_000).exactOptional().describe('Why these VPs; needed with vp.'),
  maxAttempts: z.int().min(1).max(ACTION_LIMITS.maxAttempts).exactOptional(),
  network: z
    .enum(['none', 'loopback', 'all'])
    .exactOptional()
    .describe('What its commands may reach; loopback when absent. With all it may also fetch web pages.'),
});

const check = z.strictObject({
  run: text(DECISION_LIMITS.commandChars),
  cwd: text(1_000).exactOptional(),
  timeoutSec: z.int().min(1).max(CONTRACT_LIMITS.checkTimeoutMaxSec).exactOptional(),
  expectExit: z.int().min(0).max(255).exactOptional(),
  expectOutput: text(1_000).exactOptional().describe('A regular expression.'),
  protect: z.array(text(1_000)).max(64).exactOptional().describe('Globs of files that are put back before it runs.'),
});

const criterion = z.strictObject({
  id: id.exactOptional().describe('Of the criterion that changes; absent for a new one.'),
  text: text(CONTRACT_LIMITS.criterionChars).exactOptional().describe('The whole new text; needed for a new one.'),
  check: check.exactOptional(),
  minProof: z.enum(['self', 'independent', 'machine', 'machine-protected']).exactOptional(),
});

const perDecision = COORDINATOR_LIMITS.actionsPerDecision;

const decision = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer') }).describe('Only the reply; for a turn that a person caused.'),
  z
    .strictObject({
      kind: z.literal('create_actions'),
      actions: z.array(action).min(1).max(perDecision),
      supersede: ids.exactOptional().describe('Ids of ready, waiting or failed Actions that these replace.'),
    })
    .describe('New work, starting now.'),
  z
    .strictObject({
      kind: z.literal('guide_actions'),
      guidance: z
        .array(z.strictObject({ actionId: id, instruction: text(ACTION_LIMITS.guidanceChars) }))
        .min(1)
        .max(perDecision),
    })
    .describe('Another try of Actions that are ready, waiting or failed, with what they should know.'),
  z
    .strictObject({
      kind: z.literal('close_actions'),
      closures: z
        .array(z.strictObject({ actionId: id, reason }))
        .min(1)
        .max(ACTION_LIMITS.perItem),
    })
    .describe('Gives up Actions that are no longer needed; proves nothing.'),
  z
    .strictObject({
      kind: z.literal('request_human'),
      question: text(COORDINATOR_LIMITS.replyChars),
      options: z.array(text(200)).max(COORDINATOR_LIMITS.options).exactOptional().describe('Ready answers.'),
    })
    .describe('A question that only the person can answer.'),
  z
    .strictObject({
      kind: z.literal('propose_contract'),
      title: text(CONTRACT_LIMITS.titleChars).exactOptional(),
      goal: text(CONTRACT_LIMITS.goalChars).exactOptional(),
      criteria: z
        .array(criterion)
        .max(CONTRACT_LIMITS.criteriaMax)
        .exactOptional()
        .describe('Only those that change or are new.'),
      removeCriteria: ids.exactOptional(),
      delivery: z.strictObject({ target: z.enum(TARGETS), branch: text(250).exactOptional() }).exactOptional(),
      instructions: text(CONTRACT_LIMITS.goalChars).exactOptional(),
    })
    .describe('What the person asked to change in the contract; they confirm it. Only in a turn that they caused.'),
  z
    .strictObject({
      kind: z.literal('complete'),
      summary: text(COORDINATOR_LIMITS.replyChars).describe('What was reached, for the person.'),
      residualRisks: z.array(text(1_000)).max(COORDINATOR_LIMITS.risks),
    })
    .describe('Everything is proven and nothing is unfinished.'),
]);

/** What the model may write. Strict: an unknown field is a mistake, not noise. */
export const decisionSchema = z.strictObject({
  reply: text(COORDINATOR_LIMITS.replyChars, 0).describe('To the person.'),
  reason: reason.describe('Why you decide so, for the record.'),
  title: text(DECISION_LIMITS.titleChars).exactOptional().describe('While item.titlePending: at most twelve words.'),
  decisions: z.array(decision).min(1).max(decision.options.length).describe('Each kind at most once.'),
});

/** A decision as the model wrote it, checked for its form only. */
export type WrittenDecision = z.infer<typeof decisionSchema>;
export type WrittenAction = z.infer<typeof action>;
export type WrittenPart = z.infer<typeof decision>;
export type WrittenProposal = Extract<WrittenPart, { kind: 'propose_contract' }>;
