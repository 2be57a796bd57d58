import type { Base, CommandOf } from '../../src/core/index.ts';
import { action, checked, createBody, criterion, type Given } from '../core/builders.ts';
import { AGENT_SPEC } from '../core/coordinator.ts';
import type { Draw } from './draw.ts';

type Submission = CommandOf<'CreateItem'>;

/** Its Runs die with their engines more often than they end: this is how suspicion and running alone come about. */
export const FRAGILE = 'fragile';

/** Its Coordinator wants one more of the same, again and again. */
export const STUBBORN = 'stubborn';

/** Shared by items that nothing isolates, so that they meet. */
const PLACE = '/place';

const REPO_BASE: Base = {
  kind: 'git',
  commit: 'base',
  cleanCommit: 'base',
  branch: 'main',
  topLevel: '/repo',
  gitDir: '/repo/.git',
  subdirectory: 'sub',
};

const COORDINATED: Given = { plan: { kind: 'coordinated' }, actions: [], criteria: [checked('c1')] };
const REVIEWER = { ...AGENT_SPEC, vp: 'bob' };

const STUBBORN_ONE: Given = { ...COORDINATED, title: STUBBORN, criteria: [criterion('c1')] };

const SHAPES: readonly Given[] = [
  {
    criteria: [checked('c1'), criterion('c2')],
    delivery: { target: 'merge', branch: 'main' },
    actions: [
      action('a', { for: ['c1'] }),
      action('b', { for: ['c1'], effects: 'external' }),
      action('i', { dependsOn: ['a', 'b'], workspace: 'integrate' }),
      action('r', { for: ['c2'], dependsOn: ['i'], workspace: 'read', type: 'review' }),
    ],
  },
  { criteria: [checked('c1')], delivery: { target: 'merge', branch: 'main' } },
  {
    criteria: [criterion('c1', { minProof: 'independent' }), checked('c2', { minProof: 'machine-protected' })],
    actions: [
      action('v', { workspace: 'shared' }),
      action('w', { workspace: 'shared' }),
      action('r', { for: ['c1'], dependsOn: ['v', 'w'], workspace: 'read' }),
    ],
    limits: { wallClockSec: 900 },
  },
  {
    workspace: 'in-place',
    directory: PLACE,
    criteria: [criterion('c1')],
    delivery: { target: 'response' },
    actions: [action('b', { for: ['c1'], dependsOn: ['a'] }), action('a', { type: 'deliver', maxAttempts: 1 })],
    start: false,
  },
  {
    workspace: 'in-place',
    directory: PLACE,
    criteria: [criterion('c1'), criterion('c2')],
    actions: [
      action('r', { for: ['c1'], workspace: 'read' }),
      action('s', { for: ['c1'], workspace: 'read' }),
      action('w', { for: ['c2'], workspace: 'shared' }),
    ],
  },
  // A directory inside a repository is held by the repository's top.
  {
    workspace: 'in-place',
    directory: '/repo/sub',
    base: REPO_BASE,
    criteria: [checked('c1'), criterion('c2')],
    actions: [
      action('w', { for: ['c1'] }),
      action('r', { for: ['c2'], workspace: 'read' }),
      action('s', { for: ['c2'], workspace: 'read' }),
    ],
    plan: { kind: 'linear', template: 'small' },
  },
  {
    title: FRAGILE,
    criteria: [criterion('c1'), criterion('c2')],
    actions: [
      action('a', { for: ['c1'], maxAttempts: 5 }),
      action('b', { for: ['c2'], maxAttempts: 1 }),
      action('c', { for: ['c1'], dependsOn: ['a'] }),
      action('d', { effects: 'external' }),
    ],
  },
  COORDINATED,
  // Agents that ask at the same time for more than is left.
  {
    criteria: [criterion('c1')],
    limits: { tokens: 250 },
    actions: ['a', 'b', 'c'].map((id) => action(id, { for: ['c1'], executor: AGENT_SPEC })),
  },
  {
    criteria: [criterion('c1')],
    limits: { requests: 3 },
    actions: ['a', 'b', 'c'].map((id) => action(id, { for: ['c1'], executor: AGENT_SPEC })),
  },
  { ...COORDINATED, criteria: [criterion('c1')], delivery: { target: 'response' } },
  {
    ...COORDINATED,
    criteria: [checked('c1'), criterion('c2', { minProof: 'independent' })],
    delivery: { target: 'pull_request', branch: 'main' },
    limits: { requests: 12, runRequests: 3, tokens: 3_000, costMicros: 2_000_000 },
  },
  {
    ...COORDINATED,
    workspace: 'in-place',
    directory: PLACE,
    criteria: [criterion('c1'), criterion('c2')],
    limits: { tokens: 1_500 },
  },
  {
    criteria: [criterion('c1'), checked('c2')],
    delivery: { target: 'pull_request', branch: 'main' },
    limits: { costMicros: 350_000, runRequests: 2 },
    actions: [
      action('a', { for: ['c1'], executor: AGENT_SPEC }),
      action('b', { for: ['c1'], executor: AGENT_SPEC }),
      action('r', { for: ['c1'], dependsOn: ['a', 'b'], workspace: 'read', type: 'review', executor: REVIEWER }),
    ],
  },
];

const WRONG: readonly ((right: Submission) => Submission)[] = [
  (right) => ({ ...right, contract: { ...right.contract, goal: ' ' } }),
  (right) => ({ ...right, contract: { ...right.contract, delivery: { target: 'pull_request' } } }),
  (right) => ({ ...right, limits: { ...right.limits, attempts: 0 } }),
  (right) => ({ ...right, plan: { kind: 'graph', planner: 'triage' }, actions: [action('a', { dependsOn: ['a'] })] }),
];

/** An item of one of the shapes that bring out the rules; one in ten is not valid. */
export function submission(draw: Draw): Submission {
  const right = createBody(draw.chance(12) ? STUBBORN_ONE : draw.of(SHAPES));
  return draw.chance(10) ? draw.of(WRONG)(right) : right;
}
