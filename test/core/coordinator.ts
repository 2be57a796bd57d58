import type {
  ActionSpec,
  Charge,
  CommandOf,
  Decision,
  PlannedAction,
  TurnFence,
  TurnOrigin,
} from '../../src/core/index.ts';
import { criterion, type Given, spec } from './builders.ts';
import { ENGINE, type Scenario, scenario } from './scenario.ts';

/** What a Coordinator and an agent do, in the words of the rules. */

const COORDINATED: Given = { plan: { kind: 'coordinated' }, actions: [] };

/** A coordinated item that delivers an answer and needs one sentence proven, unless given otherwise. */
export const coordinated = (given: Given = {}): Scenario =>
  scenario({ criteria: [criterion('c1')], delivery: { target: 'response' }, ...given, ...COORDINATED });

type More = Partial<Omit<ActionSpec, 'commission'>> & Partial<NonNullable<ActionSpec['commission']>>;

export const AGENT_SPEC: ActionSpec['executor'] = { kind: 'agent', vp: 'ada', assigned: 'auto' };

/** An Action as a Coordinator may commission it: an agent's, for `c1`, with a reason of its own. */
export function work(id: string, more: More = {}): PlannedAction {
  const { sources = [], unblocks = [], forDelivery = false, rationale, ...rest } = more;
  const commission = { sources, unblocks, forDelivery, rationale: rationale ?? `because ${id} closes the open gap` };
  const brief = { objective: `do ${id}`, approach: 'step by step', expectedOutcome: 'a result' };
  return { id, spec: spec(id, { type: 'implement', for: ['c1'], executor: AGENT_SPEC, brief, commission, ...rest }) };
}

/** A review by somebody who writes nothing. */
export const review = (id: string, more: More = {}): PlannedAction =>
  work(id, { type: 'review', workspace: 'read', executor: { ...AGENT_SPEC, vp: 'bob' }, ...more });

export function turnFence(made: Scenario): TurnFence {
  const { turn } = made.item.coordinator;
  if (!turn) throw new Error('no turn is open');
  return { turnId: turn.id, epoch: turn.epoch, owner: turn.owner };
}

/** Opens the turn that is owed; answers whose words caused it. */
export function opens(made: Scenario, epoch = made.item.coordinator.epoch + 1): TurnOrigin | undefined {
  const turnId = `t${made.item.coordinator.turns + 1}`;
  made.does({ type: 'OpenTurn', turnId, epoch, owner: 'w1' }, { principal: ENGINE });
  return made.item.coordinator.turn?.origin;
}

type Words = Partial<Pick<CommandOf<'Decide'>, 'reply' | 'reason' | 'title'>>;

export const decideBody = (made: Scenario, decisions: readonly Decision[], words: Words = {}): CommandOf<'Decide'> => ({
  ...{ type: 'Decide', ...turnFence(made), decisions, reply: 'So be it.', reason: 'It is the next step.' },
  ...words,
});

/** Decides in the open turn, or in the one that is owed. */
export function decides(made: Scenario, decisions: readonly Decision[], words: Words = {}): void {
  if (!made.item.coordinator.turn) opens(made);
  made.does(decideBody(made, decisions, words), { principal: ENGINE });
}

/** Why this decision is refused in the open turn; the state is as it was. */
export function objection(made: Scenario, decisions: readonly Decision[], words: Words = {}): string {
  if (!made.item.coordinator.turn) opens(made);
  return made.refuses(decideBody(made, decisions, words), 'invalid_decision', { principal: ENGINE }).message;
}

export const create = (...actions: readonly PlannedAction[]): Decision => ({
  kind: 'create_actions',
  actions,
  supersede: [],
});

export const ANSWER: Decision = { kind: 'answer' };
export const COMPLETE: Decision = { kind: 'complete', summary: 'All is done.', residualRisks: [] };

export const close = (...ids: readonly string[]): Decision => ({
  kind: 'close_actions',
  closures: ids.map((actionId) => ({ actionId, reason: 'not needed any more' })),
});

export const guide = (...ids: readonly string[]): Decision => ({
  kind: 'guide_actions',
  guidance: ids.map((actionId) => ({ actionId, instruction: 'do it like this' })),
});

export function failsTurn(made: Scenario, more: Partial<CommandOf<'FailTurn'>> = {}): void {
  const failure = { code: 'invalid_decision', error: 'twice wrong', counted: true, permanent: false };
  made.does({ type: 'FailTurn', ...turnFence(made), ...failure, ...more }, { principal: ENGINE });
}

export const postBody = (text: string, actionId?: string): CommandOf<'PostMessage'> => ({
  type: 'PostMessage',
  target: actionId === undefined ? { kind: 'coordinator' } : { kind: 'action', actionId },
  text,
  attachments: [],
});

/** A person writes to the Coordinator, or to an Action. */
export const says = (made: Scenario, text: string, actionId?: string): void => {
  made.does(postBody(text, actionId));
};

// — model calls —

export const CHARGE: Charge = { tokens: 100, costMicros: 300_000 };
export const TOKENS = { input: 80, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Whose call: the Run of an Action, or the open turn. */
export const callFence = (made: Scenario, actionId?: string): CommandOf<'DispatchCall'>['fence'] =>
  actionId === undefined ? { kind: 'turn', ...turnFence(made) } : { kind: 'run', run: made.fence(actionId) };

export interface Calling {
  readonly actionId?: string;
  readonly n?: number;
  readonly estimate?: Charge;
  readonly messages?: number;
}

export function prepareBody(made: Scenario, callId: string, calling: Calling = {}): CommandOf<'PrepareCall'> {
  const { actionId, n = 1, estimate = CHARGE } = calling;
  const heard = made.item.actions.find(({ id }) => id === actionId)?.messages.length ?? 0;
  const request = { n, model: 'scripted/one', requestHash: `hash-${callId}`, estimate };
  const messages = calling.messages ?? heard;
  return { type: 'PrepareCall', fence: callFence(made, actionId), callId, ...request, messages };
}

export function prepares(made: Scenario, callId: string, calling: Calling = {}): void {
  made.does(prepareBody(made, callId, calling), { principal: ENGINE });
}

/** Prepared and on its way. */
export function sends(made: Scenario, callId: string, calling: Calling = {}): void {
  prepares(made, callId, calling);
  const fence = callFence(made, calling.actionId);
  made.does({ type: 'DispatchCall', fence, callId }, { principal: ENGINE });
}

type Verdict = CommandOf<'SettleCall'>['verdict'];

export const responded = (charge: Charge = CHARGE): Verdict => ({
  ...{ as: 'responded', responseHash: 'answer', charge, tokens: TOKENS, stop: 'end' },
});
export const REJECTED: Verdict = { as: 'rejected', code: 'overloaded', error: '529' };
export const lostAs = (charge: Charge = CHARGE): Verdict => ({ as: 'unknown', code: 'broken', error: 'cut', charge });

export const settleCallBody = (made: Scenario, callId: string, verdict: Verdict, actionId?: string) =>
  ({ type: 'SettleCall', fence: callFence(made, actionId), callId, verdict }) as const;

/** Prepared, sent and ended, by default with an answer. */
export function calls(made: Scenario, callId: string, calling: Calling = {}, verdict: Verdict = responded()): void {
  sends(made, callId, calling);
  made.does(settleCallBody(made, callId, verdict, calling.actionId), { principal: ENGINE });
}
