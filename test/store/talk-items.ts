import type { CallFence, CallVerdict, Command, CommandBody, Limits, MessageTarget } from '../../src/core/index.ts';
import { DEFAULT_LIMITS } from '../../src/core/index.ts';
import { actionSpec, command, createBody, type ItemShape, OWNER, USER } from './items.ts';

/** Items that are talked to: one with a Coordinator, one whose Action is the built-in agent's. */

export const coordinated = (itemId: string): Command =>
  command(itemId, { ...createBody({ actions: [] }), plan: { kind: 'coordinated' } }, { principal: USER });

export const AGENT = actionSpec('a1', { executor: { kind: 'agent', vp: 'implementer', assigned: 'fixed' } });

export const agentItem = (itemId: string, shape: ItemShape = {}, limits: Partial<Limits> = {}): Command => {
  const body = createBody({ actions: [{ id: 'a1', spec: AGENT }], ...shape });
  return command(itemId, { ...body, limits: { ...DEFAULT_LIMITS, ...limits } }, { principal: USER });
};

/** To the Coordinator, or to an Action. */
export const post = (itemId: string, text: string, actionId?: string): Command => {
  const target: MessageTarget = actionId === undefined ? { kind: 'coordinator' } : { kind: 'action', actionId };
  return command(itemId, { type: 'PostMessage', target, text, attachments: [] }, { principal: USER });
};

export const turnFence = (turnId: string, epoch = 1) => ({ turnId, epoch, owner: OWNER });

export const openTurn = (itemId: string, turnId: string): Command =>
  command(itemId, { type: 'OpenTurn', ...turnFence(turnId) });

type Decided = Partial<Extract<CommandBody, { type: 'Decide' }>>;

export const decide = (itemId: string, turnId: string, change: Decided = {}): Command =>
  command(itemId, {
    type: 'Decide',
    ...turnFence(turnId),
    decisions: [{ kind: 'answer' }],
    reply: 'It is on its way.',
    reason: 'A question was asked.',
    ...change,
  });

export const failTurn = (itemId: string, turnId: string): Command =>
  command(itemId, {
    type: 'FailTurn',
    ...turnFence(turnId),
    code: 'no_decision',
    error: 'It said nothing that could be used.',
    counted: true,
    permanent: false,
  });

export const runFence = (runId: string, epoch = 1): CallFence => ({ kind: 'run', run: { runId, epoch, owner: OWNER } });

export const ESTIMATE = Object.freeze({ tokens: 1_000, costMicros: 5_000 });

export const responded = (tokens = 700, costMicros: number | null = 2_500): CallVerdict => ({
  as: 'responded',
  responseHash: 'b'.repeat(64),
  charge: { tokens, costMicros },
  tokens: { input: 500, output: 200, cacheRead: 10, cacheWrite: 20, reasoning: 30 },
  stop: 'end_turn',
});

export const REJECTED: CallVerdict = { as: 'rejected', code: 'rate_limited', error: 'Too many requests.' };

interface CallShape {
  readonly n?: number;
  readonly messages?: number;
}

/** The commands of one model request. */
export function call(itemId: string, fence: CallFence, callId: string, { n = 1, messages = 0 }: CallShape = {}) {
  const request = { requestHash: 'a'.repeat(64), estimate: ESTIMATE, messages };
  return {
    prepare: command(itemId, { type: 'PrepareCall', fence, callId, n, model: 'scripted/one', ...request }),
    dispatch: command(itemId, { type: 'DispatchCall', fence, callId }),
    settle: (verdict: CallVerdict) => command(itemId, { type: 'SettleCall', fence, callId, verdict }),
  };
}

/** An item that was asked something and answered it in one turn of one request. */
export function talkTurn(itemId: string, turnId: string): readonly Command[] {
  const asked = call(itemId, { kind: 'turn', ...turnFence(turnId) }, `${turnId}-c1`);
  return [
    coordinated(itemId),
    post(itemId, 'How far is it?'),
    openTurn(itemId, turnId),
    asked.prepare,
    asked.dispatch,
    asked.settle(responded()),
    decide(itemId, turnId),
  ];
}
