import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CommandBody,
  type CommandType,
  type Context,
  checkInvariants,
  checkStep,
  decide,
  dueOf,
  fold,
  type ItemState,
  isRejection,
  NO_FACTS,
  type Outcome,
  type Principal,
  type StoredEvent,
  sentenceOf,
} from '../../src/core/index.ts';
import {
  action,
  checked,
  completed,
  createBody,
  criterion,
  ENFORCED,
  type Given,
  receipt,
  sha256,
  USED,
} from './builders.ts';

/** One random step: what to try, and numbers that pick its target among what exists then. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly way: number;
  readonly stale: boolean;
}

/** `advance` does the next step the engine owes, so that runs get far; the others may come at any time. */
const KINDS = [
  ...(['advance', 'advance', 'advance', 'settle', 'settle', 'dispatch', 'expire', 'late', 'answer', 'answer'] as const),
  ...(['retry', 'redirect', 'close', 'edit', 'hold', 'resume', 'extend', 'stop', 'reopen', 'verify'] as const),
  ...(['block', 'sync', 'merge', 'publish', 'land', 'settleLanding', 'start', 'create'] as const),
];

const stepOf: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(1_000),
  way: fc.nat(1_000),
  stale: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
});

const at = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

const OUTCOMES: readonly ((ids: readonly string[]) => Outcome)[] = [
  (ids) => completed(ids),
  (ids) => completed(ids),
  (ids) => completed(Object.fromEntries(ids.map((id) => [id, 'failed' as const]))),
  () => completed([], { summary: '' }),
  (ids) => completed(ids, { review: 'changes_requested' }),
  (ids) => completed(ids, { review: 'approved' }),
  () => ({ kind: 'waiting', question: 'Which?' }),
  () => ({ kind: 'retryable', code: 'exit', error: 'exit 1' }),
  () => ({ kind: 'failed', code: 'broken', error: 'no' }),
];

function settleBody(state: ItemState, step: Step): CommandBody | undefined {
  const run = at(state.runs, step.pick);
  const found = run && state.actions.find((candidate) => candidate.id === run.actionId);
  if (!run || !found) return undefined;
  const fence = { runId: run.id, epoch: run.epoch - (step.stale ? 1 : 0), owner: run.owner };
  if (step.way % 11 === 0) {
    return { type: 'Settle', fence, settlement: { kind: 'interrupted', code: 'busy', error: 'busy' }, usage: USED };
  }
  const verify = found.spec.executor.kind === 'verify';
  const outcome = (verify && step.way % 5 > 0 ? completed() : at(OUTCOMES, step.way)?.(found.spec.for)) ?? completed();
  const verdict = step.way % 3 === 0 ? 'wrong_exit' : 'passed';
  const checks = state.contract.criteria.filter((known) => known.check);
  const receipts = verify ? checks.map((known) => receipt(known.id, known.version, verdict)) : [];
  const changedPaths = step.way % 4 === 0 ? [] : [`${found.id}.txt`];
  const settlement = { kind: 'outcome', outcome, commit: `commit-${step.way}`, changedPaths, receipts } as const;
  return { type: 'Settle', fence, settlement, usage: { ...USED, wallMs: (step.way % 7) * 60_000 } };
}

function advanceBody(state: ItemState, step: Step): CommandBody | undefined {
  const undispatched = state.runs.find((run) => !run.dispatched);
  if (undispatched && step.way % 4 > 0) return dispatchBody(state, step);
  const due = at(dueOf(state), step.pick);
  if (!due) return undefined;
  const { head } = state.branch;
  switch (due.kind) {
    case 'claim':
      return {
        type: 'Claim',
        actionId: due.actionId,
        generation: due.generation - (step.stale ? 1 : 0),
        runId: `run-${state.version}`,
        owner: 'w1',
        leaseMs: 60_000,
      };
    case 'merge': {
      const generation = state.actions.find((known) => known.id === due.actionId)?.generation ?? 0;
      const result =
        step.way % 3 === 0
          ? ({ kind: 'conflict', paths: ['x'], ours: 'o', theirs: 't' } as const)
          : ({ kind: 'merged', head: step.way % 5 === 0 ? head : `${state.version}` } as const);
      return { type: 'RecordMerge', actionId: due.actionId, generation, expectedHead: head, result };
    }
    case 'publish':
      return { type: 'RecordPublish', ref: 'workcenter/item', commit: head };
    case 'land':
      return state.landing.kind === 'reserved' ? landedBody(state, step) : { type: 'BeginLanding', commit: head };
  }
}

const dispatchBody = (state: ItemState, step: Step): CommandBody | undefined => {
  const run = at(
    state.runs.filter((live) => !live.dispatched),
    step.pick,
  );
  const fence = run && { runId: run.id, epoch: run.epoch, owner: run.owner };
  return fence && { type: 'Dispatch', fence, base: state.branch.head, enforcement: ENFORCED };
};

function landedBody(state: ItemState, step: Step): CommandBody {
  const results = [
    { kind: 'landed' },
    { kind: 'not_landed', code: 'target_moved', detail: '' },
    { kind: 'blocked', code: 'dirty', question: 'Your edits overlap.', details: [] },
  ] as const;
  return {
    type: 'SettleLanding',
    epoch: state.landingEpoch - (step.stale ? 1 : 0),
    result: at(results, step.way) ?? results[0],
  };
}

function editBody(state: ItemState, step: Step): CommandBody {
  const { contract } = state;
  const [first, ...others] = contract.criteria;
  const { check: _check, ...unchecked } = first ?? criterion('c1');
  const edits = [
    { title: `title ${step.pick}` },
    { goal: `goal ${step.pick}` },
    { criteria: [{ ...unchecked, text: `text ${step.pick}` }, ...others] },
    { criteria: [unchecked, ...others] },
    { criteria: others.length > 0 ? others : contract.criteria },
    { criteria: [...contract.criteria.slice(0, 3), checked(`n${step.pick % 3}`)] },
    { delivery: { target: 'response' } as const },
    { delivery: { target: 'workspace_files' } as const },
    { instructions: `${step.pick}` },
  ];
  const contractVersion = state.contractVersion - (step.stale ? 1 : 0);
  return { type: 'EditContract', contractVersion, contract: { ...contract, ...at(edits, step.way) } };
}

function bodyOf(state: ItemState, step: Step): CommandBody | undefined {
  const target = at(state.actions, step.pick);
  const address = target && { actionId: target.id, generation: target.generation - (step.stale ? 1 : 0) };
  const request = at(state.requests, step.pick);
  const run = at(state.runs, step.pick);
  const controlVersion = state.controlVersion - (step.stale ? 1 : 0);
  const { head } = state.branch;
  switch (step.kind) {
    case 'advance':
      return advanceBody(state, step);
    case 'dispatch':
      return dispatchBody(state, step);
    case 'settle':
      return settleBody(state, step);
    case 'expire': {
      const death = at(
        ['lease_expired', 'engine_died', 'engine_died', 'engine_stopped', 'machine_rebooted'] as const,
        step.way,
      );
      return run && death && { type: 'ExpireRun', runId: run.id, epoch: run.epoch - (step.stale ? 1 : 0), death };
    }
    case 'late': {
      const { id: actionId = 'nobody', lastRun } = at(state.actions, step.way) ?? {};
      const runId = step.stale ? (run?.id ?? 'r0') : (lastRun?.id ?? 'r0');
      return { type: 'RecordLate', actionId: step.stale ? 'nobody' : actionId, runId, summary: 'late', usage: USED };
    }
    case 'answer': {
      const choice = request && at(request.choices, step.way);
      return (
        request && choice && { type: 'AnswerRequest', requestId: step.stale ? 'r0' : request.id, choice, text: 'so' }
      );
    }
    case 'retry':
      return address && { type: 'RetryAction', ...address };
    case 'redirect':
      return address && { type: 'RedirectAction', ...address, guidance: 'otherwise' };
    case 'close':
      return address && { type: 'CloseAction', ...address, reason: 'no', cascade: step.way % 2 === 0 };
    case 'edit':
      return editBody(state, step);
    case 'hold':
      return step.way % 4 > 0 ? undefined : { type: 'HoldItem', code: 'user', details: 'wait' };
    case 'resume':
      return { type: 'ResumeItem', controlVersion };
    case 'extend':
      return { type: 'ExtendBudget', controlVersion, wallClockSec: 3_600 };
    case 'stop':
      return step.way % 8 > 0 ? undefined : { type: 'StopItem', reason: 'enough' };
    case 'reopen':
      return { type: 'ReopenItem' };
    case 'verify':
      return { type: 'AskVerification' };
    case 'block':
      return { type: 'BlockDelivery', code: 'publish_moved', question: 'Move it?', details: [] };
    case 'sync':
      return step.way % 4 > 0
        ? undefined
        : { type: 'RecordSync', expectedHead: head, head: `sync-${state.version}`, targetHead: 't' };
    case 'merge': {
      const result = { kind: 'merged', head: `${state.version}` } as const;
      return address && { type: 'RecordMerge', ...address, expectedHead: head, result };
    }
    case 'publish':
      return { type: 'RecordPublish', ref: 'workcenter/item', commit: head };
    case 'land':
      return { type: 'BeginLanding', commit: head };
    case 'create':
      return createBody({});
    case 'start':
      return { type: 'StartItem' };
    case 'settleLanding':
      return landedBody(state, step);
  }
}

const GIVENS: readonly Given[] = [
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
  {
    criteria: [criterion('c1', { minProof: 'independent' }), checked('c2', { minProof: 'machine-protected' })],
    actions: [action('w', { workspace: 'shared' }), action('r', { for: ['c1'], dependsOn: ['w'], workspace: 'read' })],
    limits: { wallClockSec: 3_600 },
  },
  {
    workspace: 'in-place',
    criteria: [criterion('c1')],
    delivery: { target: 'response' },
    actions: [action('b', { for: ['c1'], dependsOn: ['a'] }), action('a', { type: 'deliver' })],
    start: false,
  },
  { plan: { kind: 'coordinated' }, actions: [], criteria: [checked('c1')] },
];

interface Trace {
  state: ItemState;
  events: StoredEvent[];
  now: number;
}

/** What the walks have done so far, by type of command. */
const succeeded = new Set<CommandType>();
const refused = new Set<CommandType>();

function take(trace: Trace | undefined, body: CommandBody, principal: Principal, now: number): Trace | undefined {
  const ctx: Context = {
    now,
    hash: sha256,
    facts: NO_FACTS,
    policy: { concurrency: 64, dailyTokens: null, dailyCostMicros: null },
  };
  const result = decide(trace?.state, { itemId: 'item', principal, body }, ctx);
  (isRejection(result) ? refused : succeeded).add(body.type);
  if (isRejection(result)) return undefined;
  const known = trace?.events ?? [];
  const events = [
    ...known,
    ...result.events.map((event, index) => ({ seq: known.length + index + 1, at: now, body: event })),
  ];
  return { state: result.state, events, now };
}

/** `stale` lowers the fence of these by one. */
const isFenced = (body: CommandBody): boolean =>
  [
    'Claim',
    'Settle',
    'ExpireRun',
    'RetryAction',
    'RedirectAction',
    'CloseAction',
    'AnswerRequest',
    'EditContract',
    'ResumeItem',
    'ExtendBudget',
    'SettleLanding',
  ].includes(body.type);

const USER: Principal = { kind: 'user', name: 'ada' };

/** A step as it will be tried: one in ten carries an old epoch, generation or version. */
const walk = fc.tuple(fc.nat(GIVENS.length - 1), fc.array(stepOf, { minLength: 20, maxLength: 120, size: 'max' }));

function begin(which: number): Trace {
  const trace = take(undefined, createBody(GIVENS[which] ?? {}), USER, 1_000);
  if (!trace) throw new Error('not created');
  return trace;
}

/** Tries a step; every step that succeeds must leave all invariants whole. */
function attempt(trace: Trace, body: CommandBody): Trace | undefined {
  const next = take(trace, body, USER, trace.now + 200_000);
  if (!next) return undefined;
  expect(checkInvariants(next.state), body.type).toEqual([]);
  expect(checkStep(trace.state, next.state), body.type).toEqual([]);
  return next;
}

function wander(which: number, steps: readonly Step[]): Trace {
  let trace = begin(which);
  for (const step of steps) {
    const body = bodyOf(trace.state, step);
    const next = body && attempt(trace, body);
    if (body && step.stale && isFenced(body)) expect(next, `${body.type} from an old epoch`).toBeUndefined();
    trace = next ?? trace;
  }
  return trace;
}

test('whatever comes in whatever order, the invariants hold and folding the events gives the state (1-3, 6-9)', () => {
  fc.assert(
    fc.property(walk, ([which, steps]) => {
      const trace = wander(which, steps);
      expect(fold('item', trace.events)).toEqual(trace.state);
    }),
    { numRuns: 400 },
  );
});

/** What a helpful person and a healthy engine do next; undefined when the item has ended or only a stop is offered. */
function help(state: ItemState, turn: number): CommandBody | undefined {
  if (state.lifecycle === 'draft') return { type: 'StartItem' };
  if (state.lifecycle === 'cancelled') return { type: 'ReopenItem' };
  const control = { controlVersion: state.controlVersion };
  if (state.limits.wallClockSec !== null && state.usage.wallMs / 1000 + 20_000 > state.limits.wallClockSec) {
    return { type: 'ExtendBudget', ...control, wallClockSec: 1_000_000 };
  }
  if (state.hold) return { type: 'ResumeItem', ...control };
  if (state.landing.kind === 'reserved') {
    return { type: 'SettleLanding', epoch: state.landingEpoch, result: { kind: 'landed' } };
  }
  // Never divisible by what makes `settleBody` and `advanceBody` go wrong.
  const step: Step = { kind: 'advance', pick: turn, way: GOOD_WAY, stale: false };
  const undispatched = state.runs.some((run) => !run.dispatched);
  if (undispatched) return dispatchBody(state, { ...step, pick: 0 });
  if (state.runs.length > 0) return settleBody(state, step);
  const advance = advanceBody(state, step);
  if (advance) return advance;
  const request = state.requests[0];
  const choice =
    request &&
    at(
      request.choices.filter((offered) => offered !== 'stop'),
      turn,
    );
  return request && choice && { type: 'AnswerRequest', requestId: request.id, choice, text: 'so' };
}

/** Picks an approving outcome with passing claims, a merge that works, receipts that pass. */
const GOOD_WAY = 14;

/** Longer than any honest stretch of work without a question: then the engine goes round in circles. */
const LONGEST_STRETCH = 60;

test('from wherever a walk has led, a helpful person and a healthy engine never get stuck (invariant 7)', () => {
  let ended = 0;
  fc.assert(
    fc.property(walk, ([which, steps]) => {
      let trace = wander(which, steps);
      let stretch = 0;
      for (let turn = 0; turn < 200 && trace.state.lifecycle !== 'done'; turn += 1) {
        const body = help(trace.state, turn);
        if (!body) {
          const onlyStop = trace.state.requests.every(({ choices }) => choices.every((choice) => choice === 'stop'));
          expect(trace.state.plan.kind === 'coordinated' || onlyStop, sentenceOf(trace.state)).toBe(true);
          return;
        }
        const next = attempt(trace, body);
        expect(next, `${body.type} was offered and refused`).toBeDefined();
        trace = next ?? trace;
        stretch = body.type === 'AnswerRequest' ? 0 : stretch + 1;
        expect(stretch, sentenceOf(trace.state)).toBeLessThan(LONGEST_STRETCH);
      }
      if (trace.state.lifecycle === 'done') ended += 1;
    }),
    { numRuns: 300 },
  );
  expect(ended, 'some walks must be brought to their end').toBeGreaterThan(10);
});

const ALL_COMMANDS: Readonly<Record<CommandType, true>> = {
  CreateItem: true,
  StartItem: true,
  HoldItem: true,
  Claim: true,
  Dispatch: true,
  Settle: true,
  ExpireRun: true,
  RecordLate: true,
  RecordMerge: true,
  RecordSync: true,
  RecordPublish: true,
  BlockDelivery: true,
  BeginLanding: true,
  SettleLanding: true,
  EditContract: true,
  RetryAction: true,
  RedirectAction: true,
  CloseAction: true,
  AnswerRequest: true,
  AskVerification: true,
  StopItem: true,
  ReopenItem: true,
  ResumeItem: true,
  ExtendBudget: true,
};

test('the walks above have made every command succeed and be refused at least once', () => {
  const all = Object.keys(ALL_COMMANDS).sort();
  expect([...succeeded].sort()).toEqual(all);
  expect([...refused].sort()).toEqual(all);
});
