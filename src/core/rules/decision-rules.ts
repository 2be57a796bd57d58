import type { Decision, PlannedAction } from '../command.ts';
import { dependants, goalOf, hasAttempts, isConflicted, isProven } from '../derive/index.ts';
import { canonical } from '../identity.ts';
import {
  ACTION_LIMITS,
  type ActionState,
  COORDINATOR_LIMITS,
  type ItemState,
  isWriter,
  type OpenTurn,
} from '../model/index.ts';
import { contractProblems } from './contract-rules.ts';
import { shapeProblems } from './plan-rules.ts';
import { type Problem, unless, within } from './problem.ts';

/** A decision of one kind, with the turn that it is judged by (D21). */
type Judged<K extends Decision['kind']> = Extract<Decision, { kind: K }>;
type Rule<K extends Decision['kind']> = (state: ItemState, turn: OpenTurn, decision: Judged<K>) => readonly Problem[];

const words = (text: string, max: number, path: string): readonly Problem[] =>
  unless(text.trim().length >= 1 && text.length <= max, path, `1..${max} characters`, `${text.length}`);

const MOVABLE: ReadonlySet<ActionState['status']> = new Set(['ready', 'waiting', 'failed'] as const);

/**
 * An Action as the turn saw it, in a state in which a Coordinator may touch it: never a running one (D19). One that is
 * done may be sent back when a person has written to it (D15).
 */
function target(state: ItemState, turn: OpenTurn, actionId: string, path: string, mayBeDone = false) {
  const known = state.actions.filter(({ spec }) => spec.executor.kind !== 'verify');
  const action = known.find(({ id }) => id === actionId);
  if (!action) return unless(false, path, `one of ${known.map(({ id }) => id).join(', ') || 'none'}`, actionId);
  if (turn.generations[actionId] !== action.generation)
    return unless(false, path, 'an Action that has not moved on since this turn began', actionId);
  const isWrittenTo = state.inbox.some((fact) => fact.kind === 'message' && fact.about === actionId);
  const isOpen =
    MOVABLE.has(action.status) ||
    isConflicted(state, action) ||
    (mayBeDone && action.status === 'completed' && isWrittenTo);
  return isOpen ? action : unless(false, path, 'an Action that is ready, waiting or failed', action.status);
}

const isProblems = (value: ActionState | readonly Problem[]): value is readonly Problem[] => Array.isArray(value);

/** Work that must not be done twice without a person is not sent back by a Coordinator either (D11). */
const isRepeatable = ({ spec, lastRun }: ActionState): boolean =>
  lastRun === undefined ||
  (lastRun.status !== 'unknown' && (!lastRun.dispatched || (spec.type !== 'deliver' && spec.effects !== 'external')));

const guideActions: Rule<'guide_actions'> = (state, turn, { guidance }) => [
  ...within(guidance.length, 1, COORDINATOR_LIMITS.actionsPerDecision, 'guidance'),
  ...guidance.flatMap(({ actionId, instruction }, at) => {
    const path = `guidance[${at}]`;
    const action = target(state, turn, actionId, `${path}.actionId`, true);
    if (isProblems(action)) return action;
    const above = dependants(state.actions, actionId);
    const isFree = state.actions.every(({ id, status }) => status !== 'running' || !above.has(id));
    return [
      ...unless(isFree, path, 'work that no running Action builds on', actionId),
      ...words(instruction, ACTION_LIMITS.guidanceChars, `${path}.instruction`),
      ...unless(hasAttempts(state, action), path, 'an Action with attempts left', 'all are used: close it or ask'),
      ...unless(isRepeatable(action), path, 'work that may be repeated without a person', 'ask a person'),
    ];
  }),
];

const closeActions: Rule<'close_actions'> = (state, turn, { closures }) => [
  ...within(closures.length, 1, ACTION_LIMITS.perItem, 'closures'),
  ...closures.flatMap(({ actionId, reason }, at) => {
    const action = target(state, turn, actionId, `closures[${at}].actionId`);
    return isProblems(action) ? action : words(reason, COORDINATOR_LIMITS.reasonChars, `closures[${at}].reason`);
  }),
];

/** Criteria that an Action may still be for: a proof by somebody else, or by the engine, leaves nothing to do. */
const openCriteria = (state: ItemState): ReadonlySet<string> =>
  new Set(
    goalOf(state).criteria.flatMap(({ standing, proof, criterion }) =>
      standing === 'passed' && proof !== 'self' ? [] : [criterion.id],
    ),
  );

/** What an Action is for: it closes a named gap, and a repeated objective says why again (D19). */
function purposeProblems(state: ItemState, { id, spec }: PlannedAction, path: string, batch: readonly PlannedAction[]) {
  const { sources = [], unblocks = [], forDelivery = false, rationale = '' } = spec.commission ?? {};
  const open = openCriteria(state);
  const stuck = state.actions.filter(({ status }) => status === 'failed' || status === 'waiting').map((it) => it.id);
  const ids = state.actions.map((action) => action.id);
  const same = (other: PlannedAction): boolean =>
    other.id !== id && other.spec.type === spec.type && sameWords(other.spec.brief.objective, spec.brief.objective);
  const at = batch.findIndex((action) => action.id === id);
  const earlier = [...state.actions, ...batch.slice(0, at)].filter(same);
  const isNew =
    rationale.trim().length >= COORDINATOR_LIMITS.rationaleMinChars &&
    earlier.every(({ spec: before }) => !sameWords(before.commission?.rationale ?? '', rationale));
  return [
    ...unless(spec.for.length + unblocks.length > 0 || forDelivery, path, 'a criterion, a blocker or delivery', 'none'),
    ...spec.for.flatMap((criterion) =>
      unless(open.has(criterion), `${path}.for`, `one of ${[...open].join(', ') || 'none'}`, criterion),
    ),
    ...unblocks.flatMap((blocker) =>
      unless(stuck.includes(blocker), `${path}.unblocks`, `one of ${stuck.join(', ') || 'none'}`, blocker),
    ),
    ...sources.flatMap((source) => unless(ids.includes(source), `${path}.sources`, 'an Action of the item', source)),
    ...words(rationale, COORDINATOR_LIMITS.reasonChars, `${path}.rationale`),
    ...unless(earlier.length === 0 || isNew, `${path}.rationale`, 'a new reason for a repeated objective', rationale),
  ];
}

const sameWords = (a: string, b: string): boolean =>
  a.trim().replace(/\s+/g, ' ').toLowerCase() === b.trim().replace(/\s+/g, ' ').toLowerCase();

/** A VP is made by the agent in a mode that writes, never by a command (C6, D34). */
const createVpProblems = ({ type, executor, workspace }: PlannedAction['spec'], path: string): readonly Problem[] =>
  type === 'create_vp'
    ? [
        ...unless(executor.kind === 'agent', `${path}.type`, 'a VP of the agent to carry out create_vp', 'a command'),
        ...unless(workspace !== 'read', `${path}.workspace`, 'a mode that writes, for create_vp', workspace),
      ]
    : [];

function commissionProblems(state: ItemState, planned: PlannedAction, at: number, batch: readonly PlannedAction[]) {
  const path = `actions[${at}]`;
  const { spec, id } = planned;
  const conflicted = state.actions.filter((action) => isConflicted(state, action)).map((action) => action.id);
  const mayDepend = spec.workspace === 'integrate' ? conflicted : [];
  const isMetered = state.limits.costMicros === null || state.limits.allowUnmetered || spec.executor.kind === 'agent';
  const briefed = spec.brief.approach?.trim() && spec.brief.expectedOutcome?.trim();
  const isIndependent = spec.type !== 'review' || !isWriter(spec);
  return [
    ...shapeProblems(planned, at, batch),
    ...createVpProblems(spec, path),
    ...unless(!state.actions.some((known) => known.id === id), `${path}.id`, 'an id that is new', id),
    ...unless(spec.type !== 'triage' && spec.type !== 'verify', `${path}.type`, 'work that is commissioned', spec.type),
    ...unless(Boolean(briefed), `${path}.brief`, 'objective, approach and expectedOutcome', 'a part is missing'),
    ...spec.dependsOn.flatMap((on) =>
      unless(mayDepend.includes(on), `${path}.sources`, `conflicted: ${mayDepend.join(', ') || 'none'}`, on),
    ),
    ...unless(spec.workspace !== 'integrate' || spec.dependsOn.length > 0, `${path}.sources`, 'a conflict', 'none'),
    ...unless(isIndependent, `${path}.workspaceMode`, 'read, for a review', spec.workspace),
    ...unless(isMetered, `${path}.vp`, 'an executor that reports its cost, under a limit of money', 'a command'),
    ...purposeProblems(state, planned, path, batch),
  ];
}

const createActions: Rule<'create_actions'> = (state, turn, { actions, supersede }) => {
  const ever = state.actions.filter(({ spec }) => spec.executor.kind !== 'verify').length;
  return [
    ...within(actions.length, 1, COORDINATOR_LIMITS.actionsPerDecision, 'actions'),
    ...unless(ever + actions.length <= ACTION_LIMITS.perItem, 'actions', `${ACTION_LIMITS.perItem} in all`, `${ever}`),
    ...actions.flatMap((action, at) => commissionProblems(state, action, at, actions)),
    ...supersede.flatMap((id, at) => {
      const action = target(state, turn, id, `supersede[${at}]`);
      return isProblems(action) ? action : [];
    }),
  ];
};

const requestHuman: Rule<'request_human'> = (_state, _turn, { question, options }) => [
  ...words(question, COORDINATOR_LIMITS.replyChars, 'question'),
  ...within(options.length, 0, COORDINATOR_LIMITS.options, 'options'),
  ...options.flatMap((option, at) => words(option, 200, `options[${at}]`)),
];

/** Only a person's words may lead to a proposal, whatever the decision calls itself (D20). */
const proposeContract: Rule<'propose_contract'> = (state, turn, { contract }) => {
  const { directory, workspace } = state.contract;
  const isHere = contract.directory === directory && contract.workspace === workspace;
  return [
    ...unless(turn.origin === 'user', 'propose_contract', "a turn that a person's words caused", turn.origin),
    ...unless(turn.contractVersion === state.contractVersion, 'propose_contract', 'the contract it saw', 'another'),
    ...unless(canonical(contract) !== canonical(state.contract), 'propose_contract', 'a change', 'the same contract'),
    ...unless(isHere, 'propose_contract', `the directory ${directory}`, contract.directory),
    ...contractProblems(contract),
  ];
};

/** What a `close_actions` of the same turn leaves. */
export function afterClosures(state: ItemState, decisions: readonly Decision[]): ItemState {
  const ids = decisions.flatMap((it) =>
    it.kind === 'close_actions' ? it.closures.map(({ actionId }) => actionId) : [],
  );
  const close = (action: ActionState): ActionState =>
    ids.includes(action.id) ? { ...action, status: 'closed', merge: { kind: 'none' } } : action;
  return { ...state, actions: state.actions.map(close) };
}

/** `complete` names no proof: the goal state does, and says what is missing (D18). */
const completeItem: Rule<'complete'> = (state, turn, { summary, residualRisks }) => {
  const missing = goalOf(state).criteria.filter(({ standing }) => standing !== 'passed');
  const said = missing.map(({ criterion, standing, staledBy }) => {
    const by = staledBy ? ` (written over by ${staledBy.actionId})` : '';
    return `${criterion.id} is ${standing}${by}`;
  });
  const isUpToDate =
    state.coordinator.factSeq <= turn.openedSeq && state.inbox.every(({ seq }) => seq <= turn.openedSeq);
  const unfinished = state.actions.filter(({ status }) => MOVABLE.has(status) || status === 'running');
  const open = unfinished.map(({ id, status }) => `${id} is ${status}`).join('; ');
  const isCertain = missing.length > 0 || unfinished.length > 0 || isProven(state);
  return [
    ...unless(missing.length === 0, 'complete', 'fresh proof of every criterion', said.join('; ')),
    ...unless(unfinished.length === 0, 'complete', 'no unfinished Action', open),
    ...unless(isCertain, 'complete', 'nothing uncertain', 'more to settle'),
    ...unless(isUpToDate, 'complete', 'nothing new since this turn began', 'newer facts'),
    ...words(summary, COORDINATOR_LIMITS.replyChars, 'complete.summary'),
    ...within(residualRisks.length, 0, COORDINATOR_LIMITS.risks, 'complete.residualRisks'),
  ];
};

const RULES: { readonly [K in Decision['kind']]: Rule<K> } = {
  answer: () => [],
  create_actions: createActions,
  guide_actions: guideActions,
  close_actions: closeActions,
  request_human: requestHuman,
  propose_contract: proposeContract,
  complete: completeItem,
};

const BESIDE_COMPLETE: ReadonlySet<Decision['kind']> = new Set(['complete', 'close_actions', 'answer'] as const);

/** Which decisions go together: each kind once, nothing that moves beside `complete`, more than words by itself. */
function setProblems(turn: OpenTurn, decisions: readonly Decision[]): readonly Problem[] {
  const kinds = decisions.map(({ kind }) => kind);
  const touched = decisions.flatMap((decision) => {
    if (decision.kind === 'guide_actions') return decision.guidance.map(({ actionId }) => actionId);
    if (decision.kind === 'close_actions') return decision.closures.map(({ actionId }) => actionId);
    return decision.kind === 'create_actions' ? decision.supersede : [];
  });
  const fits = !kinds.includes('complete') || kinds.every((kind) => BESIDE_COMPLETE.has(kind));
  const isMore = turn.origin === 'user' || kinds.some((kind) => kind !== 'answer');
  return [
    ...unless(kinds.length > 0, 'decisions', 'at least one decision', 'none'),
    ...unless(new Set(kinds).size === kinds.length, 'decisions', 'each kind once', kinds.join(', ')),
    ...unless(new Set(touched).size === touched.length, 'decisions', 'each Action once', touched.join(', ')),
    ...unless(fits, 'decisions', 'complete by itself', kinds.join(', ')),
    ...unless(isMore, 'decisions', 'more than an answer, for nobody asked', 'answer'),
  ];
}

/** Everything that is wrong with what a turn wants to decide, for the one repair that it gets (D17). */
export function decisionProblems(state: ItemState, turn: OpenTurn, decisions: readonly Decision[]): readonly Problem[] {
  const after = afterClosures(state, decisions);
  return [
    ...setProblems(turn, decisions),
    ...decisions.flatMap((decision) => {
      const rule = RULES[decision.kind] as Rule<typeof decision.kind>;
      return rule(decision.kind === 'complete' ? after : state, turn, decision as never);
    }),
  ];
}
