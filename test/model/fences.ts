import type { Command, CommandBody, CommandType, ItemState, Lifecycle, Principal } from '../../src/core/index.ts';

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
  BlockDelivery: 'engine',
  BeginLanding: 'engine',
  SettleLanding: 'engine',
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

function isOld(state: ItemState, body: CommandBody): boolean {
  if ('fence' in body) {
    const { runId, epoch, owner } = body.fence;
    return !state.runs.some((run) => run.id === runId && run.epoch === epoch && run.owner === owner);
  }
  if (body.type === 'ExpireRun') return !state.runs.some((run) => run.id === body.runId && run.epoch === body.epoch);
  if (body.type === 'SettleLanding') return body.epoch !== state.landingEpoch;
  if ('expectedHead' in body && body.expectedHead !== state.branch.head) return true;
  if ('generation' in body) {
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
  cancelling: ['SettleLanding', 'RecordMerge', 'RecordLate', 'HoldItem', 'ResumeItem', 'ExtendBudget'],
  cancelled: ['ReopenItem', 'RecordMerge', 'RecordLate', 'ExtendBudget'],
  done: ['RecordLate'],
};

/** What a hold shuts out (D9). */
const NOT_HELD: readonly CommandType[] = ['Claim', 'Dispatch', 'RecordPublish', 'BlockDelivery', 'BeginLanding'];

/** What would take a reserved landing away (D32). */
const NOT_LANDING: readonly CommandType[] = [
  ...(['RetryAction', 'RedirectAction', 'CloseAction', 'EditContract'] as const),
  ...(['AnswerRequest', 'AskVerification', 'RecordSync', 'BeginLanding'] as const),
];

function isShut({ lifecycle, hold, landing }: ItemState, { type }: CommandBody): string | undefined {
  if (lifecycle !== 'open' && !ALLOWED[lifecycle].includes(type)) return `the item is ${lifecycle}`;
  if (hold && NOT_HELD.includes(type)) return 'the item is held';
  return landing.kind === 'reserved' && NOT_LANDING.includes(type) ? 'a landing is reserved' : undefined;
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
  return isShut(state, body);
}
