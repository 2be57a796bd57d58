import { createHash } from 'node:crypto';
import {
  type ActionSpec,
  type Base,
  type Check,
  type CheckVerdict,
  type CommandBody,
  type Contract,
  type Criterion,
  type CriterionClaim,
  DEFAULT_LIMITS,
  type Enforcement,
  type Limits,
  type Outcome,
  type Plan,
  type Receipt,
  type ReceiptFlag,
  type Usage,
} from '../../src/core/index.ts';

/** Sentences of default items, so that a test says only what it is about. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const PLANNED: Plan = { kind: 'graph', planner: 'file' };

export const GIT_BASE: Base = {
  kind: 'git',
  commit: 'base',
  cleanCommit: 'base',
  branch: 'main',
  topLevel: '/repo',
  gitDir: '/repo/.git',
  subdirectory: '',
};

export const PLAIN_BASE: Base = { kind: 'plain', contentHash: 'content' };

export const ENFORCED: Enforcement = { sandbox: 'bubblewrap', filesystem: true, network: true, processes: true };

export const USED: Usage = { wallMs: 1_000, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true };

export const check = (run = 'npm test', more: Partial<Check> = {}): Check => ({
  run,
  timeoutSec: 60,
  expectExit: 0,
  protect: [],
  network: 'loopback',
  ...more,
});

export const criterion = (id: string, more: Partial<Criterion> = {}): Criterion => ({
  id,
  version: 1,
  text: `${id} holds`,
  minProof: 'self',
  ...more,
});

export const checked = (id: string, more: Partial<Criterion> = {}): Criterion =>
  criterion(id, { check: check(), ...more });

export const spec = (name: string, more: Partial<ActionSpec> = {}): ActionSpec => ({
  type: 'work',
  name,
  brief: { objective: `do ${name}` },
  for: [],
  dependsOn: [],
  workspace: 'isolated-write',
  executor: { kind: 'command', run: `./${name}`, identity: name },
  effects: 'none',
  env: {},
  timeoutSec: 600,
  silenceSec: 0,
  maxAttempts: 3,
  sandbox: { network: 'loopback', readable: [], writable: [] },
  ...more,
});

/** A planned Action; the rest of its specification by default. */
export const action = (id: string, more: Partial<ActionSpec> = {}) => ({ id, spec: spec(id, more) });

export const contract = (more: Partial<Contract> = {}): Contract => ({
  title: 'A title',
  goal: 'A goal',
  criteria: [checked('c1')],
  delivery: { target: 'workspace_files' },
  directory: '/repo',
  workspace: 'isolated',
  ...more,
});

export interface Given extends Partial<Contract> {
  readonly actions?: readonly ReturnType<typeof action>[];
  readonly plan?: Plan;
  readonly base?: Base;
  readonly limits?: Partial<Limits>;
  readonly start?: boolean;
  readonly titlePending?: boolean;
}

export function createBody(given: Given): Extract<CommandBody, { type: 'CreateItem' }> {
  const { plan = PLANNED, base, limits, start = true, titlePending = false, ...more } = given;
  const { actions = [action('a', { for: ['c1'] })], ...fields } = more;
  const inPlace = fields.workspace === 'in-place';
  return {
    type: 'CreateItem',
    contract: contract(fields),
    plan,
    base: base ?? (inPlace ? PLAIN_BASE : GIT_BASE),
    limits: { ...DEFAULT_LIMITS, ...limits },
    actions,
    start,
    titlePending,
  };
}

type Completed = Extract<Outcome, { kind: 'completed' }>;

/** A completed outcome that claims the named criteria as passed, or as said. */
export function completed(
  claims: readonly string[] | Readonly<Record<string, CriterionClaim['status']>> = [],
  more: Partial<Completed> = {},
): Completed {
  const said: Readonly<Record<string, CriterionClaim['status']>> = Array.isArray(claims)
    ? Object.fromEntries(claims.map((id) => [id, 'passed']))
    : claims;
  return {
    kind: 'completed',
    summary: 'It is done.',
    evidence: [],
    claims: Object.entries(said).map(([criterionId, status]) => ({ criterionId, status, evidence: 'seen' })),
    outputs: [],
    ...more,
  };
}

export const receipt = (
  criterionId: string,
  criterionVersion: number,
  verdict: CheckVerdict,
  flags: readonly ReceiptFlag[] = [],
): Receipt => ({
  criterionId,
  criterionVersion,
  verdict,
  command: 'npm test',
  at: 'head',
  exitCode: verdict === 'passed' ? 0 : 1,
  durationMs: 5,
  log: { hash: 'h', bytes: 3, tail: 'log' },
  flags,
  changed: [],
  engine: 'test',
});
