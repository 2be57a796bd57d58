import type { WrittenAction, WrittenDecision, WrittenPart } from '../../src/coordinator/decision/schema.ts';
import { ACTION_DEFAULTS, type CompileInput } from '../../src/coordinator/index.ts';
import type { RequestInput } from '../../src/coordinator/request.ts';
import type { Decision, ItemState, OpenTurn } from '../../src/core/index.ts';
import type { ModelResponse, ToolCall } from '../../src/model/index.ts';
import { assign, type Vp } from '../../src/vp/index.ts';
import { type Given, spec } from '../core/builders.ts';
import { ENGINE, type Scenario, scenario } from '../core/scenario.ts';

/** A coordinated item, started, without Actions; the rest as given. */
export const coordinated = (given: Given = {}): Scenario =>
  scenario({ plan: { kind: 'coordinated' }, actions: [], ...given });

let turns = 0;

/** Opens the turn that is owed. */
export function opens(item: Scenario): OpenTurn {
  turns += 1;
  item.later();
  item.does(
    { type: 'OpenTurn', turnId: `t${turns}`, epoch: item.item.coordinator.epoch + 1, owner: 'w1' },
    { principal: ENGINE },
  );
  const { turn } = item.item.coordinator;
  if (!turn) throw new Error('no turn was opened');
  return turn;
}

export function decides(item: Scenario, decisions: readonly Decision[], reply = 'Here is what happens.'): void {
  const { turn } = item.item.coordinator;
  if (!turn) throw new Error('no turn is open');
  const fence = { turnId: turn.id, epoch: turn.epoch, owner: turn.owner };
  item.does({ type: 'Decide', ...fence, decisions, reply, reason: 'as tested' }, { principal: ENGINE });
}

export const says = (item: Scenario, text: string): void => {
  item.does({ type: 'PostMessage', target: { kind: 'coordinator' }, text, attachments: [] });
};

/** One commissioned Action as the core takes it. */
export const planned = (id: string, more: Partial<ReturnType<typeof spec>> = {}) => ({
  id,
  spec: spec(id, {
    type: 'implement',
    executor: { kind: 'agent', vp: 'ada', assigned: 'auto: by capability' },
    brief: { objective: `Do ${id}.`, approach: 'Look, change, test.', expectedOutcome: 'It works.' },
    for: ['c1'],
    commission: { sources: [], unblocks: [], forDelivery: false, rationale: 'Nothing has been done yet.' },
    ...more,
  }),
});

export const create = (...actions: readonly ReturnType<typeof planned>[]): Decision => ({
  kind: 'create_actions',
  actions,
  supersede: [],
});

export const vp = (id: string, capabilities: readonly string[], more: Partial<Vp> = {}): Vp => ({
  id,
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  role: `is good at ${capabilities.join(', ')}`,
  persona: 'A persona that nobody is shown.',
  capabilities,
  executor: { kind: 'agent' },
  source: { kind: 'built-in' },
  hash: '0'.repeat(64),
  ...more,
});

export const VPS: readonly Vp[] = [
  vp('ada', ['implement', 'test']),
  vp('bob', ['review']),
  vp('cy', ['research', 'implement']),
];

export const requestInput = (state: ItemState, more: Partial<RequestInput> = {}): RequestInput => {
  const { turn } = state.coordinator;
  if (!turn) throw new Error('no turn is open');
  return {
    state,
    turn,
    conversation: [],
    vps: VPS,
    memory: [],
    abilities: { tools: ['read', 'edit', 'shell'], network: 'all' },
    redaction: { secrets: ['canary-1234-canary'], roots: ['/repo'] },
    model: 'scripted/balanced',
    files: [],
    ...more,
  };
};

export const compileInput = (item: Scenario, more: Partial<CompileInput> = {}): CompileInput => {
  const { turn } = item.item.coordinator;
  if (!turn) throw new Error('no turn is open');
  return { state: item.item, turn, vps: VPS, assign, defaults: ACTION_DEFAULTS, ...more };
};

/** An Action as a model writes it. */
export const written = (more: Partial<WrittenAction> = {}): WrittenAction => ({
  type: 'implement',
  name: 'Round the totals',
  objective: 'Round once, at the end.',
  approach: 'Keep cents until the sum is made.',
  expectedOutcome: 'The totals add up.',
  for: ['c1'],
  rationale: 'Nothing has been done yet.',
  workspaceMode: 'isolated-write',
  ...more,
});

export const decision = (...decisions: WrittenPart[]): WrittenDecision => ({
  reply: 'I begin.',
  reason: 'A gap.',
  decisions,
});

/** A model's answer that calls these tools. */
export function response(
  calls: readonly Omit<ToolCall, 'kind' | 'id'>[],
  more: Partial<ModelResponse> = {},
): ModelResponse {
  const toolCalls = calls.map((call, at): ToolCall => ({ kind: 'tool_call', id: `call-${at + 1}`, ...call }));
  return { text: '', toolCalls, parts: toolCalls, stop: 'tool_use', ...more };
}

export const decideCall = (input: ToolCall['input']): ModelResponse => response([{ name: 'decide', input }]);
