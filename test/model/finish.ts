import { expect } from 'vitest';
import {
  type ActionState,
  type CommandBody,
  type Decision,
  dueOf,
  goalOf,
  type ItemState,
  isProven,
  isRejection,
  isVerify,
  type LiveRun,
  nearlySpent,
  type Outcome,
  sentenceOf,
  wallClock,
} from '../../src/core/index.ts';
import { completed, ENFORCED, receipt, USED } from '../core/builders.ts';
import { ANSWER, COMPLETE, close, create, responded, review, work } from '../core/coordinator.ts';

import { usualPrincipal } from './fences.ts';
import { brokenBetween, brokenRules } from './rules.ts';
import { LEASE_MS } from './scene.ts';
import type { Tally } from './tally.ts';
import type { Twins } from './twins.ts';

/** Rounds in which a patient person answers whatever is offered; then they stop the item. */
const PATIENCE_ROUNDS = 150;
/** More than patience, stops and the landings before them can take. */
const MOST_ROUNDS = PATIENCE_ROUNDS + 50;

const fenceOf = ({ id: runId, epoch, owner }: LiveRun) => ({ runId, epoch, owner });

/** The next step of a call by which an agent hears what it was told; undefined when it has heard all. */
function nextCall(state: ItemState, run: LiveRun): CommandBody | undefined {
  const action = state.actions.find(({ id }) => id === run.actionId);
  const fence = { kind: 'run', run: fenceOf(run) } as const;
  const call = state.calls.find(({ of }) => of.kind === 'run' && of.runId === run.id);
  const said = action?.messages.length ?? 0;
  if (action?.spec.executor.kind !== 'agent' || said <= run.messagesHeard) return undefined;
  const callId = call?.id ?? `call-${state.id}-${state.version}`;
  if (call?.status === 'dispatching') return { type: 'SettleCall', fence, callId, verdict: responded(CHEAP) };
  if (call) return { type: 'DispatchCall', fence, callId };
  const request = { n: run.requests + 1, model: 'scripted/one', requestHash: 'h', estimate: CHEAP };
  return { type: 'PrepareCall', fence, callId, messages: said, ...request };
}

const CHEAP = { tokens: 1, costMicros: 1 };

/** A Run that cannot hear any more gives up. */
function isDeaf({ uncertain, limits }: ItemState, run: LiveRun): boolean {
  const isLost = uncertain.some(({ of }) => of.kind === 'run' && of.runId === run.id);
  return isLost || run.requests >= limits.runRequests;
}

function goodEnd(state: ItemState, run: LiveRun): CommandBody {
  const fence = fenceOf(run);
  if (!run.dispatched) return { type: 'Dispatch', fence, base: state.branch.head, enforcement: ENFORCED };
  const call = nextCall(state, run);
  if (call && !isDeaf(state, run)) return call;
  const action = state.actions.find(({ id }) => id === run.actionId);
  const verify = action !== undefined && isVerify(action);
  const done = completed(verify ? [] : (action?.spec.for ?? []), { review: 'approved' });
  const outcome: Outcome = call ? { kind: 'retryable', code: 'deaf', error: 'It cannot hear.' } : done;
  const checks = verify ? state.contract.criteria.filter(({ check }) => check) : [];
  const receipts = checks.map(({ id, version }) => receipt(id, version, 'passed'));
  const changedPaths = [`${run.actionId}.txt`];
  const settlement = { kind: 'outcome', outcome, commit: `good-${run.id}`, changedPaths, receipts } as const;
  return { type: 'Settle', fence, settlement, usage: USED };
}

const isStuck = (action: ActionState): boolean =>
  !isVerify(action) && (['ready', 'waiting', 'failed'] as const).some((status) => status === action.status);

/** Closes what is stuck, has what is missing done by a writer and then looked at by a reader, and completes. */
function goodDecision(state: ItemState, turn: number): Decision {
  const stuck = state.actions.filter((action) => isStuck(action) || action.merge.kind === 'conflict');
  const open = stuck.filter(({ status }) => status !== 'closed' && status !== 'superseded');
  if (open.length > 0) return close(...open.map(({ id }) => id));
  const missing = goalOf(state).criteria.filter(({ standing }) => standing !== 'passed');
  if (missing.length === 0) return isProven(state) ? COMPLETE : ANSWER;
  const cited = missing.map(({ criterion }) => criterion.id);
  const id = `end-${state.version}`;
  const rationale = `there is still something to prove in round ${turn}`;
  const isWritten = state.branch.head !== state.branch.base;
  return create(isWritten ? review(id, { for: cited, rationale }) : work(id, { for: cited, rationale }));
}

function nextOfTurn(state: ItemState, turn: number): CommandBody {
  const { turn: open, epoch } = state.coordinator;
  if (!open) return { type: 'OpenTurn', turnId: `end-${state.id}-${state.version}`, epoch: epoch + 1, owner: 'w1' };
  const fence = { turnId: open.id, epoch: open.epoch, owner: open.owner };
  const running = state.runs.length > 0;
  const isFull = state.actions.filter((action) => !isVerify(action)).length >= 60;
  if (isFull) return { type: 'FailTurn', ...fence, code: 'full', error: 'full', counted: true, permanent: true };
  const decision = running ? ANSWER : goodDecision(state, turn);
  const hasMoved = ({ id, generation }: ActionState): boolean => open.generations[id] !== generation;
  const newest = Math.max(state.coordinator.factSeq, ...state.inbox.map(({ seq }) => seq));
  const isLate = newest > open.openedSeq || state.actions.some(hasMoved);
  const isIdle = isLate || (running && open.origin === 'automatic');
  if (isIdle) return { type: 'FailTurn', ...fence, code: 'wait', error: 'wait', counted: false, permanent: false };
  return { type: 'Decide', ...fence, decisions: [decision], reply: 'So be it.', reason: 'It is next.' };
}

function owed(state: ItemState, turn: number, now: number): CommandBody | undefined {
  const due = dueOf(state).find(({ at }) => at <= now);
  const { head } = state.branch;
  switch (due?.kind) {
    case 'claim': {
      const { actionId, generation } = due;
      const runId = `end-${state.id}-${state.version}`;
      return { type: 'Claim', actionId, generation, runId, owner: 'w1', leaseMs: LEASE_MS };
    }
    case 'merge': {
      const generation = state.actions.find(({ id }) => id === due.actionId)?.generation ?? 0;
      const result = { kind: 'merged', head: `${state.id}-${state.version}` } as const;
      return { type: 'RecordMerge', actionId: due.actionId, generation, expectedHead: head, result };
    }
    case 'decide':
      return nextOfTurn(state, turn);
    case 'pull_request':
      return {
        type: 'RecordPullRequest',
        pull: { url: `https://example.test/${state.id}`, commit: head, branch: 'topic' },
      };
    case 'publish':
      return { type: 'RecordPublish', ref: `workcenter/${state.id}`, commit: head };
    case 'land':
      return { type: 'BeginLanding', commit: head };
    case undefined:
      return undefined;
  }
}

/** An answer other than `stop`, a different one each time; `stop` when nothing else is offered. */
function answer(state: ItemState, turn: number): CommandBody | undefined {
  const [request] = state.requests;
  if (!request) return undefined;
  const others = request.choices.filter((choice) => choice !== 'stop');
  const choice = others[turn % Math.max(1, others.length)] ?? 'stop';
  return { type: 'AnswerRequest', requestId: request.id, choice, text: 'so' };
}

/** What a helpful person and a healthy engine do next; undefined when they wait for time or for others. */
function helpful(state: ItemState, turn: number, now: number): CommandBody | undefined {
  if (state.lifecycle === 'draft') return { type: 'StartItem' };
  if (state.landing.kind === 'reserved') {
    return { type: 'SettleLanding', epoch: state.landingEpoch, result: { kind: 'landed' } };
  }
  if (turn >= PATIENCE_ROUNDS) return { type: 'StopItem', reason: 'out of patience' };
  const { controlVersion } = state;
  if (wallClock(state).warning) return { type: 'ExtendBudget', controlVersion, wallClockSec: 100_000 };
  if (nearlySpent(state).length > 0) return { type: 'ExtendBudget', controlVersion, ...PLENTY };
  if (state.hold) return { type: 'ResumeItem', controlVersion };
  const run = state.runs[turn % Math.max(1, state.runs.length)];
  if (run) return goodEnd(state, run);
  return owed(state, turn, now) ?? answer(state, turn);
}

const isOver = ({ lifecycle }: ItemState): boolean => lifecycle === 'done' || lifecycle === 'cancelled';
const IN_THE_WAY = new Set(['concurrency_full', 'workspace_busy', 'must_run_alone', 'budget_reserved', 'daily_limit']);
const PLENTY = { requests: 1_000, tokens: 1_000_000, costMicros: 1_000_000_000 };

/** Takes one helpful step; true when something moved. Only another item may be in its way. */
async function help(twins: Twins, items: Map<string, ItemState>, state: ItemState, turn: number): Promise<boolean> {
  const body = helpful(state, turn, twins.now());
  if (!body) return false;
  const result = await twins.execute({ itemId: state.id, principal: usualPrincipal(body.type), body });
  if (isRejection(result)) {
    expect(IN_THE_WAY.has(result.code), `${body.type} was offered and refused: ${result.code} ${result.message}`).toBe(
      true,
    );
    return false;
  }
  items.set(state.id, result.state);
  expect([...brokenRules(state, result.state, body), ...brokenBetween(twins, items)].join('; '), body.type).toBe('');
  return true;
}

/**
 * From wherever a walk has led, every item can be brought to its end, whatever the others do (invariant 7). Items
 * that were cancelled stay so.
 */
export async function bringToEnd(twins: Twins, items: Map<string, ItemState>, tally: Tally): Promise<void> {
  let idle = 0;
  for (let turn = 0; turn < MOST_ROUNDS; turn += 1) {
    const open = [...items.values()].filter((state) => !isOver(state));
    if (open.length === 0) break;
    let moved = false;
    for (const { id } of open) {
      const state = items.get(id);
      if (state && (await help(twins, items, state, turn))) moved = true;
    }
    idle = moved ? 0 : idle + 1;
    expect(idle, open.map((state) => sentenceOf(state)).join(' | ')).toBeLessThan(3);
    twins.advance(LEASE_MS * 2);
  }
  for (const state of items.values()) {
    expect(isOver(state), sentenceOf(state)).toBe(true);
    tally.count(`ended ${state.lifecycle}`);
  }
}
