import type { CommandOf, Context, Decision } from '../command.ts';
import { actionById, goalOf, partsInWords } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { specHash } from '../identity.ts';
import { ACTION_TYPES, CONTRACT_LIMITS, COORDINATOR_LIMITS, type ItemState, type OpenTurn } from '../model/index.ts';
import { invariant, reject } from '../rejection.ts';
import { decisionProblems } from '../rules/decision-rules.ts';
import { sayProblems, unless } from '../rules/problem.ts';
import { lostWith } from './calls.ts';
import { changedParts, versioned } from './edit-contract.ts';
import {
  type Answer,
  fencedTurn,
  type Handlers,
  landingInProgress,
  mustBeOpen,
  openRequest,
  tooLong,
  whyHalted,
} from './handler.ts';
import { resetAction, resetDependants } from './reset.ts';

type Effects<K extends Decision['kind']> = (
  state: ItemState,
  turn: OpenTurn,
  decision: Extract<Decision, { kind: K }>,
  ctx: Context,
) => readonly EventBody[];

const guide: Effects<'guide_actions'> = (state, _turn, { guidance }, ctx) => {
  const roots = guidance.map(({ actionId, instruction }) => {
    const action = actionById(state, actionId);
    invariant(action, `a guided action ${actionId} was judged to exist`);
    return { action, reset: resetAction(state, action, 'guide', instruction) };
  });
  const above = resetDependants(
    state,
    roots.map(({ action }) => action),
    ctx,
  );
  return [...roots.map(({ reset }) => reset), ...above];
};

const create: Effects<'create_actions'> = (_state, _turn, { actions, supersede }, ctx) => [
  ...supersede.map((actionId): EventBody => ({ type: 'ActionRetired', actionId, as: 'superseded' })),
  ...actions.map(
    ({ id, spec }): EventBody => ({ type: 'ActionAdded', action: { id, spec, specHash: specHash(spec, ctx.hash) } }),
  ),
];

const ask: Effects<'request_human'> = (state, { id: turnId }, { question, options }, ctx) => {
  const subject = { kind: 'coordinator_question', turnId } as const;
  return [openRequest(state, { kind: 'question', subject, question, options }, ctx.now)];
};

/** Shown as a difference and confirmed by a person; nothing is applied before (D20). */
const propose: Effects<'propose_contract'> = (state, _turn, { contract }, ctx) => {
  const next = versioned(state, contract);
  const changed = changedParts(state.contract, next);
  const proposal = { baseVersion: state.contractVersion, contract: next, changed };
  const question = `The Coordinator proposes to change the contract: ${partsInWords(changed)}. Confirm?`;
  const subject = { kind: 'contract_proposal', proposal } as const;
  return [openRequest(state, { kind: 'confirmation', subject, question }, ctx.now)];
};

const EFFECTS: { readonly [K in Decision['kind']]: Effects<K> } = {
  answer: () => [],
  guide_actions: guide,
  close_actions: (_state, _turn, { closures }) =>
    closures.map(({ actionId, reason }): EventBody => ({ type: 'ActionClosed', actionId, reason })),
  create_actions: create,
  request_human: ask,
  propose_contract: propose,
  complete: (_state, _turn, { summary, residualRisks }) => [{ type: 'CompletionDecided', summary, residualRisks }],
};

/** Numbers the requests of one turn in their order. */
function numbered(state: ItemState, events: readonly EventBody[]): readonly EventBody[] {
  let count = state.requestCount;
  return events.map((event) => {
    if (event.type !== 'RequestOpened') return event;
    count += 1;
    return { ...event, request: { ...event.request, id: `r${count}` } };
  });
}

/** In this order: what ends, what begins, what is asked, what is finished. */
const ORDER: readonly Decision['kind'][] = [
  ...(['guide_actions', 'close_actions', 'create_actions', 'request_human'] as const),
  ...(['propose_contract', 'complete', 'answer'] as const),
];

/** A question that is asked anew, or that the Coordinator went on without, would block for nothing. */
function outdated(state: ItemState, turn: OpenTurn, decisions: readonly Decision[]): readonly EventBody[] {
  const asks = decisions.some(({ kind }) => kind === 'request_human');
  const acts = turn.origin === 'user' && decisions.some(({ kind }) => kind !== 'answer');
  if (!asks && !acts) return [];
  const reason = asks ? 'asked anew' : 'the Coordinator went on without it';
  return state.requests
    .filter(({ subject }) => subject.kind === 'coordinator_question')
    .map(({ id }): EventBody => ({ type: 'RequestWithdrawn', requestId: id, reason }));
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(ACTION_TYPES);
const purpose = ({ spec }: { readonly spec: ItemState['actions'][number]['spec'] }): string =>
  `${spec.type} ${[...spec.for].sort().join(' ')}`;

/** A new proof, the first Action of its kind for what it is for, or an answer to a person (D17). */
function isProgress(state: ItemState, turn: OpenTurn, decisions: readonly Decision[]): boolean {
  if (turn.origin === 'user' || goalOf(state).proven > state.coordinator.bestProven) return true;
  if (decisions.some(({ kind }) => kind === 'complete')) return true;
  const tried = new Set(state.actions.map(purpose));
  return decisions.some(
    (it) =>
      it.kind === 'create_actions' &&
      it.actions.some((action) => KNOWN_TYPES.has(action.spec.type) && !tried.has(purpose(action))),
  );
}

function decideTurn(state: ItemState, body: CommandOf<'Decide'>, ctx: Context): Answer {
  const shut = mustBeOpen(state) ?? whyHalted(state) ?? landingInProgress(state) ?? tooLong(body.reply);
  if (shut) return shut;
  const turn = fencedTurn(state, body);
  if ('code' in turn) return turn;
  const { decisions, reply } = body;
  const named = body.title?.trim().slice(0, CONTRACT_LIMITS.titleChars);
  const isSaid = reply.trim() !== '' || decisions.every(({ kind }) => kind !== 'answer');
  const problems = [...decisionProblems(state, turn, decisions), ...unless(isSaid, 'reply', 'an answer', 'no words')];
  if (problems.length > 0) {
    return reject('invalid_decision', sayProblems(problems), { next: 'Correct exactly this and decide again.' });
  }
  const effects = ORDER.flatMap((kind) =>
    decisions
      .filter((decision) => decision.kind === kind)
      .flatMap((decision) => (EFFECTS[kind] as Effects<typeof kind>)(state, turn, decision as never, ctx)),
  );
  const decided: EventBody = {
    type: 'TurnDecided',
    turnId: turn.id,
    kinds: decisions.map(({ kind }) => kind),
    reply,
    reason: body.reason.slice(0, COORDINATOR_LIMITS.reasonChars),
    progressed: isProgress(state, turn, decisions),
    factSeq: state.coordinator.factSeq,
    proven: goalOf(state).proven,
    ...(named && state.titlePending ? { title: named } : {}),
  };
  return [...lostWith(state, turn.id), ...outdated(state, turn, decisions), ...numbered(state, effects), decided];
}

/** All or nothing: what a turn decided is applied in one transaction, or refused with everything that is wrong. */
export const DECISION_HANDLERS: Handlers<'Decide'> = { Decide: decideTurn };
