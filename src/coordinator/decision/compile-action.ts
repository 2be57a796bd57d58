import type { ActionSpec, Network, PlannedAction } from '../../core/index.ts';
import type { Vp } from '../../vp/index.ts';
import { assignVp } from './assignment.ts';
import type { CompileInput } from './compile-input.ts';
import type { Problem } from './complaints.ts';
import type { WrittenAction } from './schema.ts';

const isProblems = (value: object): value is readonly Problem[] => Array.isArray(value);

/** Weakest first. */
const REACH: readonly Network[] = ['none', 'loopback', 'all'];

/** One Action of the model's as the core plans it, or what is wrong with it. What the core judges is left to it. */
export function compileAction(
  action: WrittenAction,
  path: string,
  input: CompileInput,
  nextId: (type: string) => string,
): PlannedAction | readonly Problem[] {
  const assigned = assignVp(action, path, input);
  const wrong = [...networkProblems(action, path, input), ...typeProblems(action, path)];
  if (isProblems(assigned)) return [...assigned, ...wrong];
  if (wrong.length > 0) return wrong;
  const spec = { ...specOf(action, input), ...executorOf(assigned.vp, assigned.reason, action, input) };
  return { id: action.id ?? nextId(action.type), spec };
}

const networkProblems = ({ network }: WrittenAction, path: string, { defaults }: CompileInput): readonly Problem[] =>
  network === undefined || REACH.indexOf(network) <= REACH.indexOf(defaults.network)
    ? []
    : [{ path: `${path}.network`, expected: `at most ${defaults.network}`, found: network }];

const typeProblems = ({ type, workspaceMode }: WrittenAction, path: string): readonly Problem[] =>
  type === 'create_vp' && workspaceMode === 'read'
    ? [{ path: `${path}.workspaceMode`, expected: 'a mode that writes, for create_vp', found: workspaceMode }]
    : [];

function specOf(action: WrittenAction, { defaults }: CompileInput): Omit<ActionSpec, keyof Executed> {
  const { type, name, objective, approach, expectedOutcome, workspaceMode, rationale, maxAttempts } = action;
  const { sources = [], unblocks = [], forDelivery = false } = action;
  return {
    type,
    name,
    brief: { objective, approach, expectedOutcome },
    for: action.for,
    // What is resolved has to be there; nothing else waits for its sources (D1).
    dependsOn: workspaceMode === 'integrate' ? sources : [],
    workspace: workspaceMode,
    timeoutSec: defaults.timeoutSec,
    silenceSec: defaults.silenceSec,
    maxAttempts: maxAttempts ?? defaults.maxAttempts,
    commission: { sources, unblocks, forDelivery, rationale },
  };
}

type Executed = Pick<ActionSpec, 'executor' | 'effects' | 'env' | 'sandbox'>;

/** Types that act outside: as a command, as a whole; the agent's own tools are on the ledger one by one (D11). */
const ACTS_OUTSIDE: ReadonlySet<string> = new Set(['deliver', 'operate']);

function executorOf(vp: Vp, assigned: string, { type, network }: WrittenAction, { defaults }: CompileInput): Executed {
  const sandbox = (reach: Network) => ({ network: network ?? reach, readable: [], writable: [] });
  if (vp.executor.kind === 'agent') {
    // The engine talks to its model; its commands need no network unless the work does.
    const reach = defaults.network === 'none' ? 'none' : 'loopback';
    return { executor: { kind: 'agent', vp: vp.id, assigned }, effects: 'none', env: {}, sandbox: sandbox(reach) };
  }
  const { run, env = {} } = vp.executor;
  const effects = ACTS_OUTSIDE.has(type) ? 'external' : 'none';
  // A command may be an agent of its own, which has to reach its provider.
  return { executor: { kind: 'command', run, identity: vp.id }, effects, env, sandbox: sandbox(defaults.network) };
}
