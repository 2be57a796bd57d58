import {
  type ActionState,
  CHOICES,
  type Choice,
  type CommandOf,
  type CommandType,
  type Criterion,
  type Due,
  dueOf,
  type HoldCode,
  type ItemState,
  isVerify,
  type LiveRun,
  mergesDue,
  type OpenCall,
  type Outcome,
  type Receipt,
  type Settlement,
} from '../../src/core/index.ts';
import { checked, completed, criterion, ENFORCED, receipt, USED } from '../core/builders.ts';
import { CALLS } from './call-commands.ts';
import { TALK } from './conversation-commands.ts';
import { fenceOf, type Generators, LEASE_MS, maybeOld, OWNERS, pick, type Scene, words } from './scene.ts';
import { FRAGILE, submission } from './submissions.ts';

const HOLD_CODES: readonly HoldCode[] = ['user', 'disk_low', 'coordinator_failures'];

function toAction(scene: Scene, fits: (action: ActionState) => boolean) {
  const found = scene.draw.chance(3) ? undefined : pick(scene, scene.state.actions, fits);
  if (!found) return { actionId: 'nobody', generation: 1 };
  return { actionId: found.id, generation: maybeOld(scene, found.generation) };
}

type MakeOutcome = (ids: readonly string[]) => Outcome;

const BAD_ENDS: readonly MakeOutcome[] = [
  () => ({ kind: 'retryable', code: 'exit', error: 'exit 1' }),
  () => ({ kind: 'failed', code: 'broken', error: 'no' }),
];

const OUTCOMES: readonly MakeOutcome[] = [
  ...BAD_ENDS,
  (ids) => completed(ids),
  (ids) => completed(ids),
  (ids) => completed(ids, { review: 'approved' }),
  (ids) => completed(ids, { review: 'approved' }),
  (ids) => completed(ids, { review: 'changes_requested' }),
  (ids) => completed(Object.fromEntries(ids.map((id) => [id, 'failed' as const]))),
  () => completed([], { summary: '' }),
  () => ({ kind: 'waiting', question: 'Which?' }),
];

const VERDICTS = ['passed', 'passed', 'passed', 'passed', 'wrong_exit', 'timed_out', 'setup_failed'] as const;

function judged({ draw }: Scene, { id, version }: Criterion): readonly Receipt[] {
  if (draw.chance(3)) return [];
  const flags = draw.chance(15) ? (['tests_changed'] as const) : [];
  return [receipt(id, draw.chance(3) ? version - 1 : version, draw.of(VERDICTS), flags)];
}

/** How the Run of `action` ends; completed more often than not. */
function settlementOf(scene: Scene, action: ActionState | undefined): Settlement {
  const { draw, state } = scene;
  if (draw.chance(6)) return { kind: 'interrupted', code: 'busy', error: 'busy' };
  const verify = action !== undefined && isVerify(action);
  const ids = verify ? [] : (action?.spec.for ?? []);
  const bad = draw.of(verify ? BAD_ENDS : OUTCOMES)(ids);
  const outcome = draw.chance(verify ? 80 : 60) ? completed(ids, { review: 'approved' }) : bad;
  const checks = state.contract.criteria.filter((known) => known.check);
  return {
    kind: 'outcome',
    outcome,
    ...(draw.chance(85) ? { commit: `commit-${scene.fresh()}` } : {}),
    changedPaths: draw.chance(20) ? [] : [`${action?.id}.txt`],
    receipts: verify ? checks.flatMap((known) => judged(scene, known)) : [],
  };
}

function mergeResult({ draw, state, fresh }: Scene): CommandOf<'RecordMerge'>['result'] {
  if (draw.chance(25)) return { kind: 'conflict', paths: ['x.txt'], ours: 'o', theirs: 't' };
  return { kind: 'merged', head: draw.chance(15) ? state.branch.head : `head-${fresh()}` };
}

const LANDINGS: readonly CommandOf<'SettleLanding'>['result'][] = [
  { kind: 'landed' },
  { kind: 'not_landed', code: 'target_moved', detail: 'It moved.' },
  { kind: 'blocked', code: 'dirty', question: 'Your edits overlap.', details: ['x.txt'] },
];

function editedContract({ draw, state, fresh }: Scene): CommandOf<'EditContract'>['contract'] {
  const { contract } = state;
  const [first = criterion('c1'), ...others] = contract.criteria;
  const { check: _check, ...unchecked } = first;
  const edits = [
    { title: `title ${fresh()}` },
    { goal: `goal ${fresh()}` },
    { instructions: `instructions ${fresh()}` },
    { setup: { run: 'npm ci', inputs: [], network: 'all', timeoutSec: 60 + draw.below(9) } as const },
    { criteria: [{ ...first, text: `text ${fresh()}` }, ...others] },
    { criteria: [{ ...unchecked, minProof: 'self' as const }, ...others] },
    { criteria: others.length > 0 ? others : contract.criteria },
    { criteria: [...contract.criteria.slice(0, 3), checked(`n${draw.below(3)}`)] },
    { delivery: { target: 'response' } as const },
    { delivery: { target: 'workspace_files' } as const },
    { delivery: { target: 'merge', branch: draw.of(['main', 'next']) } as const },
    { delivery: { target: 'pull_request', branch: 'main' } as const },
    { goal: '' },
    { directory: '/elsewhere' },
    {},
  ];
  return { ...contract, ...draw.of(edits) };
}

/** One of the offered answers, `stop` rarely; now and then one that nobody offered. */
function answerOf(scene: Scene): CommandOf<'AnswerRequest'> {
  const { draw, state } = scene;
  const request = draw.chance(3) ? undefined : pick(scene, state.requests, () => true);
  const offered: readonly Choice[] = request?.choices ?? ['retry'];
  const kept = offered.filter((choice) => choice !== 'stop' || draw.chance(40));
  const all = Object.values(CHOICES).flat();
  const choice = draw.chance(6) ? draw.of(all) : draw.of(kept.length > 0 ? kept : offered);
  return { type: 'AnswerRequest', requestId: request?.id ?? 'r0', choice, text: words(scene, 'so') };
}

const DEATHS = ['lease_expired', 'lease_expired', 'engine_died', 'engine_died', 'engine_stopped', 'machine_rebooted'];

/** One way to make each command; a new kind does not compile until it is here. */
export const GENERATORS: Generators<CommandType> = {
  ...TALK,
  ...CALLS,
  CreateItem: ({ draw }) => submission(draw),
  StartItem: () => ({ type: 'StartItem' }),
  HoldItem: ({ draw }) => ({ type: 'HoldItem', code: draw.of(HOLD_CODES), details: 'wait' }),
  Claim: (scene) => {
    const due = dueOf(scene.state).flatMap((step) => (step.kind === 'claim' ? [step.actionId] : []));
    const address = toAction(scene, ({ id }) => due.includes(id));
    const owner = scene.draw.of(OWNERS);
    return { type: 'Claim', ...address, runId: `run-${scene.fresh()}`, owner, leaseMs: LEASE_MS };
  },
  Dispatch: (scene) => {
    const fence = fenceOf(scene, (run) => !run.dispatched);
    return { type: 'Dispatch', fence, base: scene.state.branch.head, enforcement: ENFORCED };
  },
  Settle: (scene) => {
    const fence = fenceOf(scene, (run) => run.dispatched);
    const action = scene.state.actions.find(({ runId }) => runId === fence.runId);
    const usage = { ...USED, wallMs: scene.draw.below(7) * 60_000, metered: scene.draw.chance(90) };
    return { type: 'Settle', fence, settlement: settlementOf(scene, action), usage };
  },
  ExpireRun: (scene) => {
    const { runId, epoch } = fenceOf(scene, () => true);
    const death = scene.draw.of(DEATHS) as CommandOf<'ExpireRun'>['death'];
    return { type: 'ExpireRun', runId, epoch, death };
  },
  RecordLate: ({ draw, state, fresh }) => {
    const action = state.actions.length > 0 ? draw.of(state.actions) : undefined;
    const live = state.runs.length > 0 && draw.chance(30) ? draw.of(state.runs).id : undefined;
    const usage = { wallMs: 0, requests: 1, tokens: 10, costMicros: 0, unpriced: 0, metered: true };
    return {
      type: 'RecordLate',
      actionId: draw.chance(5) ? 'nobody' : (action?.id ?? 'nobody'),
      runId: live ?? action?.lastRun?.id ?? `late-${fresh()}`,
      summary: 'It was done after all.',
      usage,
    };
  },
  RecordMerge: (scene) => {
    const address = toAction(scene, (action) => mergesDue(scene.state).includes(action));
    const expectedHead = scene.draw.chance(5) ? 'gone' : scene.state.branch.head;
    return { type: 'RecordMerge', ...address, expectedHead, result: mergeResult(scene) };
  },
  RecordSync: ({ draw, state, fresh }) => {
    const expectedHead = draw.chance(10) ? 'gone' : state.branch.head;
    return { type: 'RecordSync', expectedHead, head: `sync-${fresh()}`, targetHead: `target-${fresh()}` };
  },
  RecordPullRequest: ({ draw, state, fresh }) => {
    const commit = draw.chance(5) ? 'gone' : state.branch.head;
    return { type: 'RecordPullRequest', pull: { url: `https://example.test/${fresh()}`, commit, branch: 'topic' } };
  },
  RecordPublish: ({ draw, state }) => {
    const commit = draw.chance(5) ? 'gone' : state.branch.head;
    return { type: 'RecordPublish', ref: `workcenter/${state.id}`, commit };
  },
  BlockDelivery: ({ draw }) => {
    const code = draw.of(['publish_moved', 'landing_dirty', 'landing_diverged']);
    return { type: 'BlockDelivery', code, question: 'What now?', details: ['x.txt'] };
  },
  BeginLanding: ({ draw, state }) => ({ type: 'BeginLanding', commit: draw.chance(5) ? 'gone' : state.branch.head }),
  SettleLanding: (scene) => {
    const epoch = maybeOld(scene, scene.state.landingEpoch);
    return { type: 'SettleLanding', epoch, result: scene.draw.of(LANDINGS) };
  },
  EditContract: (scene) => ({
    type: 'EditContract',
    contractVersion: maybeOld(scene, scene.state.contractVersion),
    contract: editedContract(scene),
  }),
  RetryAction: (scene) => {
    const address = toAction(scene, ({ status }) => status !== 'ready' && status !== 'running');
    return { type: 'RetryAction', ...address, ...(scene.draw.chance(50) ? { guidance: words(scene, 'again') } : {}) };
  },
  RedirectAction: (scene) => {
    const address = toAction(scene, ({ status }) => status === 'running' || status === 'waiting');
    return { type: 'RedirectAction', ...address, guidance: words(scene, 'otherwise') };
  },
  CloseAction: (scene) => {
    const address = toAction(scene, ({ status }) => status === 'failed' || status === 'waiting');
    return { type: 'CloseAction', ...address, reason: words(scene, 'not needed'), cascade: scene.draw.chance(30) };
  },
  AnswerRequest: answerOf,
  AskVerification: () => ({ type: 'AskVerification' }),
  StopItem: () => ({ type: 'StopItem', reason: 'enough' }),
  ReopenItem: () => ({ type: 'ReopenItem' }),
  ResumeItem: (scene) => ({ type: 'ResumeItem', controlVersion: maybeOld(scene, scene.state.controlVersion) }),
  ExtendBudget: (scene) => {
    const { draw } = scene;
    const calls = { requests: 10, tokens: 2_000, costMicros: 1_000_000, runRequests: 2 };
    const more = draw.of([{ wallClockSec: 1_200 }, calls, calls, { wallClockSec: 0 }, { attempts: 1 }, {}]);
    return { type: 'ExtendBudget', controlVersion: maybeOld(scene, scene.state.controlVersion), ...more };
  },
};

/** How often a kind is tried without regard to what is due; those that end or disturb an item are rare. */
const WEIGHTS: Readonly<Record<CommandType, number>> = {
  CreateItem: 2,
  StartItem: 2,
  HoldItem: 1,
  Claim: 6,
  Dispatch: 6,
  Settle: 4,
  ExpireRun: 3,
  RecordLate: 1,
  RecordMerge: 4,
  RecordSync: 1,
  RecordPublish: 3,
  RecordPullRequest: 2,
  OpenTurn: 3,
  AdoptTurn: 2,
  Decide: 3,
  FailTurn: 2,
  PrepareCall: 5,
  DispatchCall: 4,
  SettleCall: 4,
  MarkCallUnknown: 1,
  CorrectCall: 2,
  BeginOperation: 2,
  EndOperation: 2,
  AskApproval: 2,
  UseGrant: 2,
  WakeRun: 2,
  PostMessage: 4,
  ResolveOperation: 1,
  BlockDelivery: 3,
  BeginLanding: 3,
  SettleLanding: 3,
  EditContract: 3,
  RetryAction: 2,
  RedirectAction: 2,
  CloseAction: 2,
  AnswerRequest: 5,
  AskVerification: 2,
  StopItem: 1,
  ReopenItem: 3,
  ResumeItem: 3,
  ExtendBudget: 2,
};

export const COMMAND_TYPES = Object.keys(WEIGHTS) as readonly CommandType[];
const WEIGHTED: readonly CommandType[] = COMMAND_TYPES.flatMap((type) => Array<CommandType>(WEIGHTS[type]).fill(type));

const OWED: Readonly<Record<Due['kind'], CommandType>> = {
  claim: 'Claim',
  merge: 'RecordMerge',
  publish: 'RecordPublish',
  pull_request: 'RecordPullRequest',
  land: 'BeginLanding',
  decide: 'OpenTurn',
};

/** A call that is open goes on before its owner does anything else. */
const CALL_STEPS: Readonly<Record<OpenCall['status'], readonly CommandType[]>> = {
  prepared: ['DispatchCall'],
  dispatching: ['SettleCall', 'SettleCall', 'SettleCall', 'MarkCallUnknown'],
  rejected: ['DispatchCall'],
  responded: [],
};

/** What may come in between, and changes what was thought to be settled. */
function surprises({ operations, completion, uncertain }: ItemState): readonly CommandType[] {
  const isUnknown = operations.some(({ effect }) => effect === 'unknown');
  return [
    ...(isUnknown ? (['ResolveOperation'] as const) : []),
    ...(completion ? (['PostMessage'] as const) : []),
    ...(uncertain.length > 0 ? (['CorrectCall'] as const) : []),
  ];
}

function turnSteps({ coordinator: { turn }, calls }: ItemState): readonly CommandType[] {
  if (!turn) return [];
  const mine = calls.filter(({ of }) => of.kind === 'turn');
  return mine.length === 0 ? ['PrepareCall', 'Decide'] : ['Decide', 'Decide', 'FailTurn'];
}

/** What a live agent does before its end: it asks a model, acts, and asks for leave that it may have got. */
function agentSteps(state: ItemState): readonly CommandType[] {
  const { operations, runs, actions } = state;
  const isAt = (run: LiveRun, does: (action: ActionState) => boolean): boolean =>
    run.dispatched && actions.some((action) => action.id === run.actionId && does(action));
  const agents = runs.filter((run) => isAt(run, ({ spec }) => spec.executor.kind === 'agent'));
  const allowed = agents.filter((run) => isAt(run, ({ grants }) => grants.length > 0));
  const acting = operations.filter(({ effect, tool }) => tool && effect === 'pending');
  return [
    ...agents.flatMap(({ idle }): readonly CommandType[] =>
      idle ? ['WakeRun'] : ['PrepareCall', 'PrepareCall', 'BeginOperation', 'AskApproval', 'PostMessage'],
    ),
    ...allowed.map((): CommandType => 'UseGrant'),
    ...acting.map((): CommandType => 'EndOperation'),
  ];
}

/** Kinds that would take the item further, as an engine or a person sees it now. */
export function owedTypes(state: ItemState): readonly CommandType[] {
  if (state.lifecycle === 'draft') return ['StartItem'];
  if (state.lifecycle === 'cancelled') return ['ReopenItem'];
  if (state.landing.kind === 'reserved') return ['SettleLanding'];
  const end = state.contract.title === FRAGILE ? (['ExpireRun', 'ExpireRun', 'Settle'] as const) : ['Settle' as const];
  return [
    ...state.runs.flatMap((run): readonly CommandType[] => (run.dispatched ? end : ['Dispatch', 'Dispatch'])),
    ...turnSteps(state),
    ...agentSteps(state),
    ...surprises(state),
    ...state.calls.flatMap(({ status }) => CALL_STEPS[status]),
    ...dueOf(state).flatMap(({ kind }) => (kind === 'decide' && state.coordinator.turn ? [] : [OWED[kind]])),
    ...(state.hold ? (['ResumeItem', 'ExtendBudget'] as const) : []),
    ...state.requests.map(({ choices }) => (choices.length > 1 ? 'AnswerRequest' : 'EditContract')),
  ];
}

/** Which kind to try next: mostly what is owed, so that items get far; else anything. */
export function typeFor({ draw, state }: Scene): CommandType {
  const owed = draw.chance(65) ? owedTypes(state) : [];
  return draw.of(owed.length > 0 ? owed : WEIGHTED);
}
