import { type CriterionGoal, goalOf } from '../core/derive/goal.ts';
import type { ActionState, EndedRun } from '../core/model/action.ts';
import type { Criterion } from '../core/model/contract.ts';
import type { ItemState } from '../core/model/item.ts';
import type {
  ActionView,
  AttachmentView,
  ContractView,
  CriterionView,
  GuidanceView,
  JournalEntry,
  MainlineInput,
  MemoryView,
  MessageView,
  Redaction,
  ResultView,
  ResumeView,
} from './mainline-input.ts';

/** What the item's state does not hold: settings, files, other items, this machine. */
export interface MainlineExtras {
  readonly globalInstructions?: string;
  /** By Action type. */
  readonly typeInstructions?: Readonly<Record<string, string>>;
  /** A sentence of ours on what the sandbox enforces for this Run. */
  readonly enforced?: string;
  /** Of the Run that is about to start, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly timeLimitSec: number;
  /** How many of the Action's messages go in; the rest is handed over while the Run goes on. All by default. */
  readonly messageCount?: number;
  readonly projectGuidance?: readonly GuidanceView[];
  /** Ignored where the item does not reuse memory (D35). */
  readonly memory?: readonly MemoryView[];
  readonly redaction?: Redaction;
}

/** The Mainline's value for one Action of an item. Pure. Nothing of the Coordinator's conversation is in it (V36). */
export function mainlineInputOf(state: ItemState, action: ActionState, extras: MainlineExtras): MainlineInput {
  const { contract } = state;
  const forType = ownText(extras.typeInstructions, action.spec.type);
  const resume = resumeOf(state, action);
  const messages = messagesOf(action, extras.messageCount);
  return {
    contract: contractOf(state),
    action: actionOf(action, extras),
    instructions: {
      ...(extras.globalInstructions === undefined ? {} : { global: extras.globalInstructions }),
      ...(forType === undefined ? {} : { forType }),
    },
    results: resultsOf(state, action),
    journal: journalOf(state, action),
    messages,
    ...(resume ? { resume } : {}),
    projectGuidance: extras.projectGuidance ?? [],
    background: state.background,
    memory: state.reuseMemory ? (extras.memory ?? []) : [],
    attachments: attachmentsOf(state, action, messages.length),
    redaction: extras.redaction ?? { secrets: [], roots: [contract.directory] },
  };
}

function contractOf(state: ItemState): ContractView {
  const { goal, instructions, setup, delivery } = state.contract;
  return {
    version: state.contractVersion,
    goal,
    ...(instructions === undefined ? {} : { instructions }),
    criteria: goalOf(state).criteria.map(criterionOf),
    ...(setup ? { setup } : {}),
    delivery,
  };
}

function criterionOf(goal: CriterionGoal): CriterionView {
  const { id, version, text, check, minProof }: Criterion = goal.criterion;
  const evidence = goal.claim?.evidence;
  const { standing } = goal;
  return {
    id,
    version,
    text,
    ...(check ? { check } : {}),
    minProof,
    standing,
    why: whyOf(goal),
    ...(evidence ? { evidence } : {}),
  };
}

function whyOf({ standing, proof, claim, staledBy, criterion }: CriterionGoal): string {
  const who = claim ? claim.actionId : 'nobody';
  switch (standing) {
    case 'passed':
      return `shown by ${who}, strength ${proof ?? 'self'}`;
    case 'failed':
      return `refused by ${who}`;
    case 'stale':
      return `it was shown by ${who}, and ${staledBy ? staledBy.actionId : 'something'} wrote since`;
    case 'weak':
      return `${who} showed it with strength ${proof ?? 'self'}, and ${criterion.minProof} is needed`;
    case 'unmet':
      return 'nobody has shown it';
  }
}

function actionOf({ id, spec }: ActionState, extras: MainlineExtras): ActionView {
  const { type, name, brief, workspace, commission } = spec;
  return {
    id,
    type,
    name,
    ...brief,
    ...(commission ? { rationale: commission.rationale } : {}),
    for: spec.for,
    unblocks: commission?.unblocks ?? [],
    forDelivery: commission?.forDelivery ?? false,
    workspace,
    external: spec.effects === 'external',
    ...(extras.enforced === undefined ? {} : { enforced: extras.enforced }),
    attempt: extras.attempt,
    maxAttempts: extras.maxAttempts,
    timeLimitSec: extras.timeLimitSec,
  };
}

/** The ids whose results this Action builds on; one that is both depended on and a source is depended on. */
const buildsOn = ({ spec }: ActionState): ReadonlySet<string> =>
  new Set([...spec.dependsOn, ...(spec.commission?.sources ?? [])]);

function resultsOf(state: ItemState, action: ActionState): ResultView[] {
  const wanted = buildsOn(action);
  return state.actions
    .filter(({ id }) => wanted.has(id))
    .map((other) => ({
      actionId: other.id,
      type: other.spec.type,
      relation: action.spec.dependsOn.includes(other.id) ? 'dependsOn' : 'source',
      status: other.status,
      ...wordsOf(other),
    }));
}

function wordsOf(action: ActionState): Pick<ResultView, 'summary' | 'claims' | 'outputs' | 'review'> {
  const outcome = action.status === 'completed' ? action.result?.outcome : undefined;
  if (outcome === undefined) return { summary: lastWordsOf(action), claims: [], outputs: [] };
  const { summary, claims, outputs, review } = outcome;
  const files = (action.result?.changedPaths ?? []).map((ref) => ({ kind: 'file', ref }) as const);
  const distinct = new Map([...files, ...outputs].map((output) => [`${output.kind} ${output.ref}`, output]));
  return { summary, claims, outputs: [...distinct.values()], ...(review ? { review } : {}) };
}

/** Of an Action without a result: why it was closed, or how its last Run ended. */
function lastWordsOf({ status, closeReason, lastRun }: ActionState): string {
  if (status === 'closed') return closeReason ?? '';
  return lastRun?.error ?? lastRun?.summary ?? '';
}

function journalOf(state: ItemState, action: ActionState): JournalEntry[] {
  const wanted = buildsOn(action);
  const others = state.actions.filter(
    ({ id, status }) => id !== action.id && !wanted.has(id) && status !== 'superseded',
  );
  return others.map((other) => ({
    actionId: other.id,
    type: other.spec.type,
    status: other.status,
    for: other.spec.for,
    summary: wordsOf(other).summary,
  }));
}

function messagesOf({ guidance, messages }: ActionState, count = messages.length): MessageView[] {
  return [
    ...guidance.map((text, at) => ({ id: `guidance ${at + 1}`, text, attachments: [] })),
    ...messages
      .slice(0, count)
      .map(({ id, text, quote, attachments }) => ({
        id,
        text,
        ...(quote ? { quote } : {}),
        attachments: attachments.map(({ name }) => name),
      })),
  ];
}

/** The item's own, and those of the messages that are shown. */
function attachmentsOf(state: ItemState, { messages, guidance }: ActionState, shown: number): AttachmentView[] {
  const sent = messages.slice(0, shown - guidance.length).flatMap(({ attachments }) => attachments);
  const distinct = new Map([...state.attachments, ...sent].map((file) => [`${file.name} ${file.hash}`, file]));
  return [...distinct.values()];
}

/** What the last Run left, whatever its generation (H6); nothing when it left nothing. */
function resumeOf(state: ItemState, { id, lastRun }: ActionState): ResumeView | undefined {
  const operations = state.operations.flatMap((operation) =>
    operation.actionId === id && isOpen(operation.effect)
      ? [{ id: operation.id, what: operation.what, effect: operation.effect }]
      : [],
  );
  if (lastRun === undefined || (isMute(lastRun) && operations.length === 0)) return undefined;
  const { ordinal, status, code, error, summary, receipts } = lastRun;
  return {
    ordinal,
    status,
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error }),
    summary,
    receipts: receipts.map(({ criterionId, verdict, command, exitCode, log }) => ({
      criterionId,
      verdict,
      command,
      exitCode,
      tail: log.tail,
      logHash: log.hash,
    })),
    operations,
  };
}

const isOpen = (effect: string): effect is 'pending' | 'unknown' => effect === 'pending' || effect === 'unknown';

const isMute = ({ error, summary, receipts }: EndedRun): boolean =>
  (error ?? '').trim() === '' && summary.trim() === '' && receipts.length === 0;

/** By its own name: a type may be called like a property that every object has. */
const ownText = (texts: Readonly<Record<string, string>> | undefined, type: string): string | undefined =>
  texts !== undefined && Object.hasOwn(texts, type) ? texts[type] : undefined;
