import type {
  ActionSpec,
  Command,
  CommandBody,
  Contract,
  Network,
  Outcome,
  Principal,
  Settlement,
  Usage,
} from '../../src/core/index.ts';
import { DEFAULT_LIMITS } from '../../src/core/index.ts';

/** The examples that all store tests share: small items whose Actions are commands. */

export const USER: Principal = { kind: 'user', name: 'ada' };
export const ENGINE: Principal = { kind: 'engine', name: 'engine' };
export const USAGE: Usage = { wallMs: 1_000, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true };
export const OWNER = 'owner-a';
export const LEASE_MS = 60_000;

const NETWORK: Network = 'none';

export const actionSpec = (name: string, change: Partial<ActionSpec> = {}): ActionSpec => ({
  type: 'execute',
  name,
  brief: { objective: `Do ${name}.` },
  for: ['c1'],
  dependsOn: [],
  workspace: 'isolated-write',
  executor: { kind: 'command', run: 'true', identity: 'true' },
  effects: 'none',
  env: {},
  timeoutSec: 60,
  silenceSec: 0,
  maxAttempts: 3,
  sandbox: { network: NETWORK, readable: [], writable: [] },
  ...change,
});

export const contract = (change: Partial<Contract> = {}): Contract => ({
  title: 'Make it work',
  goal: 'It works, and somebody has seen it work.',
  criteria: [{ id: 'c1', version: 1, text: 'It works.', minProof: 'self' }],
  delivery: { target: 'workspace_files' },
  directory: '/projects/example',
  workspace: 'isolated',
  ...change,
});

type CreateBody = Extract<CommandBody, { type: 'CreateItem' }>;

export interface ItemShape {
  readonly contract?: Partial<Contract>;
  readonly actions?: readonly { readonly id: string; readonly spec: ActionSpec }[];
  readonly start?: boolean;
}

export const createBody = ({ contract: change = {}, actions, start = true }: ItemShape = {}): CreateBody => ({
  type: 'CreateItem',
  contract: contract(change),
  plan: { kind: 'graph', planner: 'file' },
  base: {
    kind: 'git',
    commit: 'b'.repeat(40),
    cleanCommit: 'b'.repeat(40),
    branch: 'main',
    topLevel: '/projects/example',
    gitDir: '/projects/example/.git',
    subdirectory: '',
  },
  limits: DEFAULT_LIMITS,
  actions: actions ?? [{ id: 'a1', spec: actionSpec('a1') }],
  start,
});

export const command = (itemId: string, body: CommandBody, more: Partial<Command> = {}): Command => ({
  itemId,
  principal: ENGINE,
  body,
  ...more,
});

export const create = (itemId: string, shape: ItemShape = {}, more: Partial<Command> = {}): Command =>
  command(itemId, createBody(shape), { principal: USER, ...more });

export const claim = (
  itemId: string,
  runId: string,
  change: Partial<Extract<CommandBody, { type: 'Claim' }>> = {},
): Command =>
  command(itemId, { type: 'Claim', actionId: 'a1', generation: 1, runId, owner: OWNER, leaseMs: LEASE_MS, ...change });

export const dispatch = (itemId: string, runId: string, epoch = 1, owner = OWNER): Command =>
  command(itemId, {
    type: 'Dispatch',
    fence: { runId, epoch, owner },
    base: 'b'.repeat(40),
    enforcement: { sandbox: 'none', filesystem: false, network: false, processes: false },
  });

export const completed = (claims = [{ criterionId: 'c1', status: 'passed' as const, evidence: 'seen' }]): Outcome => ({
  kind: 'completed',
  summary: 'It works.',
  evidence: [],
  claims,
  outputs: [],
});

export const outcomeOf = (outcome: Outcome): Settlement => ({
  kind: 'outcome',
  outcome,
  commit: 'c'.repeat(40),
  changedPaths: ['made.txt'],
  receipts: [],
});

export const settle = (
  itemId: string,
  runId: string,
  settlement: Settlement = outcomeOf(completed()),
  epoch = 1,
  owner = OWNER,
): Command => command(itemId, { type: 'Settle', fence: { runId, epoch, owner }, settlement, usage: USAGE });

export const expire = (itemId: string, runId: string, epoch = 1): Command =>
  command(itemId, { type: 'ExpireRun', runId, epoch, death: 'lease_expired' });
