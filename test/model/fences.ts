import type {
  CallFence,
  Command,
  CommandBody,
  CommandType,
  ItemState,
  Lifecycle,
  Principal,
  RunFence,
  TurnFence,
} from '../../src/core/index.ts';

/**
 * What must be refused whatever else is true: the rules of fences and of authority, said a second time and in the
 * shortest way, so that the core is compared with something that is not itself.
 */

type Authority = 'person' | 'engine' | 'anybody';

const AUTHORITY: Readonly<Record<CommandType, Authority>> = {
  CreateItem: 'anybody',
  StartItem: 'engine',
  HoldItem: 'engine',
  Claim: 'engine',
  Dispatch: 'engine',
  Settle: 'engine',
  ExpireRun: 'engine',
  RecordLate: 'engine',
  RecordMerge: 'engine',
  RecordSync: 'engine',
  RecordPublish: 'engine',
  RecordPullRequest: 'engine',
  BlockDelivery: 'engine',
  OpenTurn: 'engine',
  AdoptTurn: 'engine',
  Decide: 'engine',
  FailTurn: 'engine',
  PrepareCall: 'engine',
  DispatchCall: 'engine',
  SettleCall: 'engine',
  MarkCallUnknown: 'engine',
  CorrectCall: 'engine',
  BeginOperation: 'engine',
  EndOperation: 'engine',
  AskApproval: 'engine',
  UseGrant: 'engine',
  WakeRun: 'engine',
  BeginLanding: 'engine',
  SettleLanding: 'engine',
  PostMessage: 'person',
  ResolveOperation: 'person',
  EditContract: 'person',
  RetryAction: 'person',
  RedirectAction: 'person',
  CloseAction: 'person',
  AnswerRequest: 'person',
  AskVerification: 'person',
  StopItem: 'person',
  ReopenItem: 'person',
  ResumeItem: 'person',
  ExtendBudget: 'person',
};

const ENOUGH: Readonly<Record<Authority, readonly Principal['kind'][]>> = {
  person: ['user'],
  engine: ['user', 'engine'],
  anybody: ['user', 'engine', 'agent'],
};

/** The principal by whom a command is usually sent. */
export const usualPrincipal = (type: CommandType): Principal =>
  AUTHORITY[type] === 'engine' ? { kind: 'engine', name: 'w1' } : { kind: 'user', name: 'ada' };

const lostRun = ({ runs }: ItemState, { runId, epoch, owner }: RunFence): boolean =>
  runs.every((run) => run.id !== runId || run.epoch !== epoch || run.owner !== owner);

const lostTurn = ({ coordinator: { turn } }: ItemState, { turnId, epoch, owner }: TurnFence): boolean =>
  turn?.id !== turnId || turn.epoch !== epoch || turn.owner !== owner;

function isLost(state: ItemState, fence: RunFence | CallFence): boolean {
  if (!('kind' in fence)) return lostRun(state, fence);
  return fence.kind === 'run' ? lostRun(state, fence.run) : lostTurn(state, fence);
}

/** Epochs, heads and generations that the sender read. */
function isOldWork(state: ItemState, body: CommandBody): boolean | undefined {
  const { coordinator } = state;
  if ('fence' in body) return isLost(state, body.fence);
  if (body.type === 'Decide' || body.type === 'FailTurn') return lostTurn(state, body);
  if (body.type === 'OpenTurn') return body.epoch < coordinator.epoch;
  if (body.type === 'AdoptTurn') return coordinator.turn?.id !== body.turnId || body.epoch <= coordinator.epoch;
  if (body.type === 'ExpireRun') return !state.runs.some((run) => run.id === body.runId && run.epoch === body.epoch);
  if (body.type === 'SettleLanding') return body.epoch !== state.landingEpoch;
  if ('expectedHead' in body && body.expectedHead !== state.branch.head) return true;
  return undefined;
}

function isOld(state: ItemState, body: CommandBody): boolean {
  const old = isOldWork(state, body);
  if (old !== undefined) return old;
  if (body.type !== 'PostMessage' && 'generation' in body) {
    const { actionId, generation } = body;
    return !state.actions.some((action) => action.id === actionId && action.generation === generation);
  }
  if ('controlVersion' in body) return body.controlVersion !== state.controlVersion;
  return 'contractVersion' in body && body.contractVersion !== state.contractVersion;
}

/**
 * All that may change an item that is not open (D13); what is done never changes, but for what a late Run still cost. A merge that was under way in git
 * when the item was stopped is recorded even so.
 */
const ALLOWED: Readonly<Record<Exclude<Lifecycle, 'open'>, readonly CommandType[]>> = {
  draft: ['RecordLate', 'StartItem', 'EditContract', 'StopItem', 'HoldItem', 'ResumeItem', 'ExtendBudget'],
  cancelling: [
    ...(['SettleLanding', 'RecordMerge', 'RecordLate', 'CorrectCall', 'ResolveOperation'] as const),
    ...(['HoldItem', 'ResumeItem', 'ExtendBudget'] as const),
  ],
  cancelled: ['ReopenItem', 'RecordMerge', 'RecordLate', 'CorrectCall', 'ResolveOperation', 'ExtendBudget'],
  done: ['RecordLate', 'CorrectCall'],
};

/** What a hold shuts out (D9). */
const NOT_HELD: readonly CommandType[] = [
  ...(['Claim', 'Dispatch', 'RecordPublish', 'RecordPullRequest', 'BlockDelivery', 'BeginLanding'] as const),
  ...(['OpenTurn', 'AdoptTurn', 'Decide', 'FailTurn', 'PrepareCall', 'DispatchCall'] as const),
  ...(['BeginOperation', 'AskApproval'] as const),
];

/** What would take a reserved landing away (D32). */
const NOT_LANDING: readonly CommandType[] = [
  ...(['RetryAction', 'RedirectAction', 'CloseAction', 'EditContract'] as const),
  ...(['AnswerRequest', 'AskVerification', 'RecordSync', 'BeginLanding', 'Decide', 'OpenTurn'] as const),
  ...(['ResolveOperation', 'RecordPullRequest'] as const),
];

function isShut({ lifecycle, hold, landing }: ItemState, { type }: CommandBody): string | undefined {
  if (lifecycle !== 'open' && !ALLOWED[lifecycle].includes(type)) return `the item is ${lifecycle}`;
  if (hold && NOT_HELD.includes(type)) return 'the item is held';
  return landing.kind === 'reserved' && NOT_LANDING.includes(type) ? 'a landing is reserved' : undefined;
}

/** What no model may do, in whatever company it comes (D19, D20, invariant 5). */
function isForbidden(state: ItemState, body: CommandBody): string | undefined {
  if (body.type === 'Decide') {
    const isAutomatic = state.coordinator.turn?.origin === 'automatic';
    const proposes = body.decisions.some(({ kind }) => kind === 'propose_contract');
    return isAutomatic && proposes ? 'an automatic turn proposes a contract' : undefined;
  }
  if (body.type === 'DispatchCall') {
    const call = state.calls.find(({ id }) => id === body.callId);
    return call?.status === 'dispatching' || call?.status === 'responded' ? 'it was sent before' : undefined;
  }
  if (body.type !== 'PrepareCall') return undefined;
  const { fence } = body;
  const isLostTo = ({ of }: ItemState['uncertain'][number]): boolean =>
    of.kind === 'run'
      ? fence.kind === 'run' && of.runId === fence.run.runId
      : fence.kind === 'turn' && of.turnId === fence.turnId;
  return state.uncertain.some(isLostTo) ? 'an answer of its owner was lost' : undefined;
}

/**
 * Why the command may not succeed (invariant 3, D16, D20); undefined when it may. `isLeased` tells whether the lease
 * of a Run has not run out.
 */
export function mustRefuse(
  state: ItemState | undefined,
  { body, principal }: Command,
  isLeased: (runId: string) => boolean,
): string | undefined {
  if (!ENOUGH[AUTHORITY[body.type]].includes(principal.kind)) return `${principal.kind} has no authority`;
  if (body.type === 'CreateItem') return state && 'the item exists';
  if (!state) return 'there is no such item';
  if (isOld(state, body)) return 'it carries an old fence';
  if (body.type === 'ExpireRun' && body.death === 'lease_expired' && isLeased(body.runId))
    return 'its lease has not run out';
  return isShut(state, body) ?? isForbidden(state, body);
}
