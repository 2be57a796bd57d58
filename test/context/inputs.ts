import type { MainlineInput, MessageView, ResultView } from '../../src/context/mainline-input.ts';

/** The smallest input; a test says only what it is about. */
export const input = (more: Partial<MainlineInput> = {}): MainlineInput => ({
  contract: {
    version: 1,
    goal: 'Payments must not be charged twice.',
    criteria: [
      {
        id: 'c1',
        version: 1,
        text: 'A repeated request is answered from the first.',
        minProof: 'self',
        standing: 'unmet',
        why: 'nobody has shown it',
      },
    ],
    delivery: { target: 'workspace_files' },
  },
  action: {
    id: 'a1',
    type: 'implement',
    name: 'idempotency',
    objective: 'Answer repeated requests from the first.',
    for: ['c1'],
    unblocks: [],
    forDelivery: false,
    workspace: 'isolated-write',
    external: false,
    attempt: 1,
    maxAttempts: 3,
    timeLimitSec: 600,
  },
  instructions: {},
  results: [],
  journal: [],
  messages: [],
  projectGuidance: [],
  background: [],
  memory: [],
  attachments: [],
  redaction: { secrets: ['canary-1234-canary'], roots: ['/srv/work/a1'] },
  ...more,
});

export const message = (id: string, text: string, more: Partial<MessageView> = {}): MessageView => ({
  id,
  text,
  attachments: [],
  ...more,
});

export const result = (actionId: string, summary: string, more: Partial<ResultView> = {}): ResultView => ({
  actionId,
  type: 'research',
  relation: 'dependsOn',
  status: 'completed',
  summary,
  claims: [],
  outputs: [],
  ...more,
});

/** Something in every section. */
export const full = (): MainlineInput =>
  input({
    contract: {
      version: 3,
      goal: 'Payments must not be charged twice.\nKeep the public API.',
      instructions: 'Ask before you add a dependency.',
      criteria: [
        {
          id: 'c1',
          version: 2,
          text: 'A repeated request is answered from the first.',
          check: {
            run: 'npm test -- idempotency',
            cwd: 'server',
            expectExit: 0,
            expectOutput: '\\d+ passed',
            protect: ['test/**'],
          },
          minProof: 'machine',
          standing: 'failed',
          why: 'refused by verify-1',
          evidence: 'wrong exit 1: expected 201 to be 200',
        },
        {
          id: 'c2',
          version: 1,
          text: 'The README says how.',
          minProof: 'independent',
          standing: 'passed',
          why: 'shown by a2, strength independent',
        },
      ],
      setup: { run: 'npm ci', inputs: ['package-lock.json'], network: 'all' },
      delivery: { target: 'merge', branch: 'main' },
    },
    action: {
      ...input().action,
      id: 'a4',
      approach: 'A table of keys with the stored answer.',
      rationale: 'The check of c1 failed on the second request.',
      unblocks: ['a3'],
      forDelivery: true,
      enforced: 'Enforced by bubblewrap: only the workspace can be written; only a private loopback.',
      attempt: 2,
    },
    instructions: { global: 'Write plain English.', forType: 'Run the linter before you finish.' },
    results: [
      result('a1', 'Keys come in the header Idempotency-Key.', {
        relation: 'source',
        outputs: [{ kind: 'link', ref: 'https://example.org/spec' }],
      }),
      result('a2', 'The store keeps answers for a day.', {
        type: 'review',
        review: 'approved',
        claims: [{ criterionId: 'c2', status: 'passed', evidence: 'README, section Retries' }],
        outputs: [{ kind: 'file', ref: 'server/store.ts' }],
      }),
    ],
    journal: [{ actionId: 'a3', type: 'test', status: 'waiting', for: ['c1'], summary: 'Which status code is right?' }],
    messages: [
      message('guidance 1', 'Use the existing store.'),
      message('m7', 'A repeated request must answer 200.', {
        quote: { from: 'a3', text: 'Which status code is right?' },
        attachments: ['trace.txt'],
      }),
    ],
    resume: {
      ordinal: 1,
      status: 'retryable',
      code: 'check_failed',
      error:
        'expected 201 to be 200 at /srv/work/a1/server/pay.ts:12 (see /home/ada/private/notes.txt), token=abcdef123456',
      summary: 'Keys are stored; the status is not kept.',
      receipts: [
        {
          criterionId: 'c1',
          verdict: 'wrong_exit',
          command: 'npm test',
          exitCode: 1,
          tail: '1 failed\nexpected 201',
          logHash: 'ab12',
        },
      ],
      operations: [{ id: 'op1', what: 'POST https://pay.example.org/refund', effect: 'unknown' }],
    },
    projectGuidance: [{ path: 'AGENTS.md', text: '# House rules\n\nTests first.', cut: false }],
    background: [
      { role: 'user', text: 'Customers are charged twice.' },
      { role: 'assistant', text: 'Shall I open a work item?' },
    ],
    memory: [
      {
        itemId: 'w12',
        title: 'Retry queue',
        endedAt: 1_700_000_000_000,
        type: 'implement',
        summary: 'Retries are kept in Redis.',
      },
    ],
    attachments: [{ name: 'trace.txt', mediaType: 'text/plain', bytes: 120, hash: 'cd34' }],
  });
