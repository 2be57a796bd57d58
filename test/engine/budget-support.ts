import { randomBytes } from 'node:crypto';
import { DEFAULT_LIMITS, type ItemState, type Limits, type PlannedAction } from '../../src/core/index.ts';
import { submitItem, type World } from '../../src/engine/index.ts';
import type { Reply, ScriptedStep, ScriptedUsage } from '../../src/testing.ts';
import { call, submit, turnsOf } from '../support/scripted-agent.ts';
import { stateOf } from '../support/submit-plan.ts';

/** Output that an agent's request may have; with no price of input, a request costs what it was reserved at. */
export const MOST_OUTPUT = 16_384;
export const THIRTY_CENTS = 300_000;
/** US dollars per million tokens, at which the most output costs thirty cents. */
export const DEAR = { input: 0, output: 18.3105 };
export const USAGE: ScriptedUsage = { input: 1_000, output: MOST_OUTPUT };

export const person = { kind: 'user', name: 'ada' } as const;

/** Sets what a person would set with `workcenter settings set`. */
export async function configure(world: World, value: Readonly<Record<string, unknown>>): Promise<void> {
  const { version } = await world.store.readSettings();
  if (!(await world.store.writeSettings(version, value))) throw new Error('the settings changed meanwhile');
}

/** All tags on one model of the scripted server, at a price or without one. */
export const modelSettings = (url: string, price?: { readonly input: number; readonly output: number }) => ({
  models: {
    tags: { fast: 'metered/m', balanced: 'metered/m', ultimate: 'metered/m' },
    providers: { metered: { kind: 'openai-compatible', baseUrl: url } },
  },
  ...(price ? { prices: { 'metered/m': price } } : {}),
});

const agentAction = (id: string, more: Partial<PlannedAction['spec']> = {}): PlannedAction => ({
  id,
  spec: {
    type: 'research',
    name: `Look at ${id}`,
    brief: { objective: `Find out about ${id}.` },
    for: ['c1'],
    dependsOn: [],
    workspace: 'read',
    executor: { kind: 'agent', vp: 'researcher', assigned: 'fixed' },
    effects: 'none',
    env: {},
    timeoutSec: 600,
    silenceSec: 0,
    maxAttempts: 1,
    sandbox: { network: 'none', readable: [], writable: [] },
    ...more,
  },
});

/** A planned item whose Actions are all agents that read the project side by side; no Coordinator spends anything. */
export async function submitAgents(
  world: World,
  directory: string,
  { count, limits = {}, spec = {} }: { count: number; limits?: Partial<Limits>; spec?: Partial<PlannedAction['spec']> },
): Promise<ItemState> {
  const submitted = await submitItem(
    { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
    {
      directory,
      dirty: 'refuse',
      inPlace: true,
      start: true,
      principal: person,
      compile: (ground) => ({
        contract: {
          title: 'Find out',
          goal: 'Find out about everything.',
          criteria: [{ id: 'c1', version: 1, text: 'Everything is known.', minProof: 'self' }],
          delivery: { target: 'response' },
          directory: ground.directory,
          workspace: ground.workspace,
        },
        plan: { kind: 'graph', planner: 'file' },
        limits: { ...DEFAULT_LIMITS, ...limits },
        actions: Array.from({ length: count }, (_, at) => agentAction(`a${at + 1}`, spec)),
        titlePending: false,
      }),
    },
  );
  return stateOf(submitted);
}

const found = submit('Now it is known.', { claims: [{ criterion: 'c1', status: 'passed', evidence: 'I looked.' }] });

/** Agents that look `times` times, each time somewhere else, and then know. */
export const curious = (times: number, usage: ScriptedUsage | false = USAGE): ScriptedStep => ({
  name: 'agent',
  when: { tools: ['submit_outcome'] },
  reply: ({ messages }): Reply => {
    const made = turnsOf(messages);
    return { ...(made < times ? call('glob', { pattern: `*.${made}` }) : found), usage };
  },
});
