import { expect } from 'vitest';
import {
  type CommandBody,
  dueOf,
  type ItemState,
  isRejection,
  isVerify,
  type LiveRun,
  sentenceOf,
  wallClock,
} from '../../src/core/index.ts';
import { completed, ENFORCED, receipt, USED } from '../core/builders.ts';
import { LEASE_MS } from './commands.ts';
import { usualPrincipal } from './fences.ts';
import { brokenBetween, brokenRules } from './rules.ts';
import type { Tally } from './tally.ts';
import type { Twins } from './twins.ts';

/** Rounds in which a patient person answers whatever is offered; then they stop the item. */
const PATIENCE_ROUNDS = 150;
/** More than patience, stops and the landings before them can take. */
const MOST_ROUNDS = PATIENCE_ROUNDS + 50;

function goodEnd(state: ItemState, run: LiveRun): CommandBody {
  const fence = { runId: run.id, epoch: run.epoch, owner: run.owner };
  if (!run.dispatched) return { type: 'Dispatch', fence, base: state.branch.head, enforcement: ENFORCED };
  const action = state.actions.find(({ id }) => id === run.actionId);
  const verify = action !== undefined && isVerify(action);
  const outcome = completed(verify ? [] : (action?.spec.for ?? []), { review: 'approved' });
  const checks = verify ? state.contract.criteria.filter(({ check }) => check) : [];
  const receipts = checks.map(({ id, version }) => receipt(id, version, 'passed'));
  const changedPaths = [`${run.actionId}.txt`];
  const settlement = { kind: 'outcome', outcome, commit: `good-${run.id}`, changedPaths, receipts } as const;
  return { type: 'Settle', fence, settlement, usage: USED };
}

function owed(state: ItemState, now: number): CommandBody | undefined {
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
  if (state.hold) return { type: 'ResumeItem', controlVersion };
  const [run] = state.runs;
  if (run) return goodEnd(state, run);
  const next = owed(state, now) ?? answer(state, turn);
  const isStuck = dueOf(state).length === 0 && state.plan.kind === 'coordinated';
  return next ?? (isStuck ? { type: 'StopItem', reason: 'no Coordinator here' } : undefined);
}

const isOver = ({ lifecycle }: ItemState): boolean => lifecycle === 'done' || lifecycle === 'cancelled';
const IN_THE_WAY = new Set(['concurrency_full', 'workspace_busy', 'must_run_alone']);

/** Takes one helpful step; true when something moved. Only another item may be in its way. */
async function help(twins: Twins, items: Map<string, ItemState>, state: ItemState, turn: number): Promise<boolean> {
  const body = helpful(state, turn, twins.now());
  if (!body) return false;
  const result = await twins.execute({ itemId: state.id, principal: usualPrincipal(body.type), body });
  if (isRejection(result)) {
    expect(IN_THE_WAY.has(result.code), `${body.type} was offered and refused: ${result.code}`).toBe(true);
    return false;
  }
  items.set(state.id, result.state);
  expect([...brokenRules(state, result.state), ...brokenBetween(twins, items)].join('; '), body.type).toBe('');
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
