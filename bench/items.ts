import {
  type ActionSpec,
  type Command,
  type CommandBody,
  type Contract,
  DEFAULT_LIMITS,
  type Principal,
  type Settlement,
} from '../src/core/index.ts';

/** The items that every benchmark uses: Actions are commands, nothing is spawned, ids follow from numbers. */

const USER: Principal = { kind: 'user', name: 'bench' };
const ENGINE: Principal = { kind: 'engine', name: 'engine' };
export const OWNER = 'bench-owner';
const LEASE_MS = 3_600_000;
const COMMIT = 'c'.repeat(40);

/** Directories that generated items are spread over, so that counters per directory have something to count. */
const DIRECTORIES = 50;

const actionSpec = (name: string, isLast: boolean, after: readonly string[]): ActionSpec => ({
  type: 'execute',
  name,
  brief: { objective: `Change the module ${name} so that its callers need no lock, and show that it holds.` },
  for: isLast ? ['c1', 'c2'] : ['c2'],
  dependsOn: after,
  workspace: 'read',
  executor: { kind: 'command', run: 'npm test -- --reporter=dot', identity: 'npm' },
  effects: 'none',
  env: { CI: '1' },
  timeoutSec: 600,
  silenceSec: 120,
  maxAttempts: 3,
  sandbox: { network: 'none', readable: [], writable: [] },
});

const contract = (index: number): Contract => ({
  title: `Item ${index}: make the import idempotent`,
  goal: 'Importing the same file twice leaves the same rows, and a test shows it. Callers need not know.',
  criteria: [
    { id: 'c1', version: 1, text: 'A second import changes no row.', minProof: 'self' },
    { id: 'c2', version: 1, text: 'The report of the import says what was skipped.', minProof: 'self' },
  ],
  delivery: { target: 'response' },
  directory: `/projects/project-${index % DIRECTORIES}`,
  workspace: 'isolated',
});

export interface ItemShape {
  readonly actions?: number;
  /** Each Action waits for the one before it. */
  readonly chained?: boolean;
  readonly start?: boolean;
  readonly contract?: Partial<Contract>;
}

/** Ids sort in the order of their numbers. */
export const itemId = (index: number, prefix = 'w'): string => `${prefix}${String(index).padStart(8, '0')}`;

const command = (item: string, body: CommandBody, principal: Principal = ENGINE): Command => ({
  itemId: item,
  principal,
  body,
});

/** The command that creates an item, open and with every Action ready unless something else is asked for. */
export function create(item: string, index: number, shape: ItemShape = {}): Command {
  const count = shape.actions ?? 1;
  const actions = Array.from({ length: count }, (_, at) => ({
    id: `a${at + 1}`,
    spec: actionSpec(`a${at + 1}`, at === count - 1, shape.chained && at > 0 ? [`a${at}`] : []),
  }));
  const base = {
    kind: 'git',
    commit: COMMIT,
    cleanCommit: COMMIT,
    branch: 'main',
    topLevel: '/projects',
    gitDir: '/projects/.git',
    subdirectory: '',
  } as const;
  const body: CommandBody = {
    type: 'CreateItem',
    contract: { ...contract(index), ...shape.contract },
    plan: { kind: 'graph', planner: 'file' },
    base,
    limits: DEFAULT_LIMITS,
    actions,
    start: shape.start ?? true,
  };
  return command(item, body, USER);
}

/** One Run, as its three commands. */
export interface Cycle {
  readonly item: string;
  readonly run: string;
  readonly action?: string;
  readonly epoch?: number;
  readonly owner?: string;
  readonly leaseMs?: number;
}

export const claim = ({ item, run, action = 'a1', owner = OWNER, leaseMs = LEASE_MS }: Cycle): Command =>
  command(item, { type: 'Claim', actionId: action, generation: 1, runId: run, owner, leaseMs });

const fenceOf = ({ run, epoch = 1, owner = OWNER }: Cycle) => ({ runId: run, epoch, owner });

export const dispatch = (cycle: Cycle): Command =>
  command(cycle.item, {
    type: 'Dispatch',
    fence: fenceOf(cycle),
    base: COMMIT,
    enforcement: { sandbox: 'bubblewrap', filesystem: true, network: true, processes: true },
  });

const completed: Settlement = {
  kind: 'outcome',
  outcome: {
    kind: 'completed',
    summary: 'The import looks up the key of every row before it writes, and counts what it left alone.',
    evidence: [{ kind: 'test', label: 'npm test', status: 'passed' }],
    claims: [
      { criterionId: 'c1', status: 'passed', evidence: 'import twice: 0 rows changed' },
      { criterionId: 'c2', status: 'passed', evidence: 'report: 12 skipped' },
    ],
    outputs: [],
  },
  changedPaths: [],
  receipts: [],
};

/** Ends nothing: the Action is ready again at once and no attempt is charged. */
const interrupted: Settlement = { kind: 'interrupted', code: 'bench', error: 'The engine let go of it.' };

export const settle = (cycle: Cycle, how: 'completed' | 'interrupted' = 'completed'): Command =>
  command(cycle.item, {
    type: 'Settle',
    fence: fenceOf(cycle),
    settlement: how === 'completed' ? completed : interrupted,
    usage: { wallMs: 1_200, requests: 3, tokens: 4_000, costMicros: 0, unpriced: 0, metered: true },
  });
