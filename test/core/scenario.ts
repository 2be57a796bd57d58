import { expect } from 'vitest';
import {
  type ActionState,
  type CheckVerdict,
  type Command,
  type CommandBody,
  type Context,
  type Death,
  type Decided,
  decide,
  dueOf,
  type EventBody,
  type EventType,
  evolve,
  type Facts,
  fold,
  type HumanRequest,
  type ItemState,
  isRejection,
  NO_FACTS,
  type Outcome,
  type Policy,
  type Principal,
  type ReceiptFlag,
  type Rejection,
  type RequestSubject,
  type SideWrite,
  type StoredEvent,
  type Usage,
} from '../../src/core/index.ts';
import { checkInvariants, checkStep } from '../../src/invariants/invariants.ts';
import { completed, createBody, ENFORCED, type Given, receipt, sha256, USED } from './builders.ts';

export const USER: Principal = { kind: 'user', name: 'ada' };
export const ENGINE: Principal = { kind: 'engine', name: 'w1' };
export const AGENT: Principal = { kind: 'agent', name: 'bot' };

const EVERYTHING: Policy = { concurrency: 64, dailyTokens: null, dailyCostMicros: null };

export interface Around {
  readonly facts?: Partial<Facts>;
  readonly principal?: Principal;
  readonly concurrency?: number;
  readonly policy?: Partial<Policy>;
}

interface SettleMore {
  readonly commit?: string;
  readonly changedPaths?: readonly string[];
  readonly usage?: Usage;
}

/**
 * One item, driven through `decide` as the door would: every step is checked against the invariants, and folding
 * all events again must give the very state that `decide` answered (invariant 9).
 */
export class Scenario {
  readonly itemId = 'item-1';
  readonly events: StoredEvent[] = [];
  state: ItemState | undefined;
  now = 1_000_000;
  #runs = 0;

  /** The state, which must exist by now. */
  get item(): ItemState {
    if (!this.state) throw new Error('no item yet');
    return this.state;
  }

  action(id: string): ActionState {
    const found = this.item.actions.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`no action ${id}`);
    return found;
  }

  /** The newest verification, which must exist. */
  get verify(): ActionState {
    const found = this.item.actions.filter((candidate) => candidate.spec.executor.kind === 'verify').at(-1);
    if (!found) throw new Error('nothing was commissioned');
    return found;
  }

  request(kind: RequestSubject['kind']): HumanRequest {
    const found = this.item.requests.find((request) => request.subject.kind === kind);
    if (!found) throw new Error(`no open ${kind} request, but: ${this.openKinds().join(', ')}`);
    return found;
  }

  openKinds = (): readonly string[] => this.item.requests.map((request) => request.subject.kind);
  dueKinds = (): readonly string[] => dueOf(this.item).map((due) => (due.kind === 'claim' ? due.actionId : due.kind));
  count = (type: EventType): number => this.events.filter((event) => event.body.type === type).length;

  attempt(body: CommandBody, around: Around = {}): Decided | Rejection {
    const principal = around.principal ?? USER;
    const command: Command = { itemId: this.itemId, principal, body };
    const ctx: Context = {
      now: this.now,
      hash: sha256,
      facts: { ...NO_FACTS, ...around.facts },
      policy: { ...EVERYTHING, concurrency: around.concurrency ?? 64, ...around.policy },
    };
    return decide(this.state, command, ctx);
  }

  /** The command must succeed; answers its side writes. */
  does(body: CommandBody, around: Around = {}): readonly SideWrite[] {
    const result = this.attempt(body, around);
    if (isRejection(result)) {
      throw new Error(`${body.type} was refused: ${result.code} ${result.message} ${result.expected} ${result.found}`);
    }
    this.#take(result);
    return result.writes;
  }

  /** The command must be refused with this code; nothing may have changed. */
  refuses(body: CommandBody, code: Rejection['code'], around: Around = {}): Rejection {
    const before = JSON.stringify(this.state);
    const result = this.attempt(body, around);
    if (!isRejection(result)) throw new Error(`${body.type} was not refused`);
    expect({ code: result.code, command: body.type }).toEqual({ code, command: body.type });
    expect(JSON.stringify(this.state)).toBe(before);
    return result;
  }

  #take(decided: Decided): void {
    const before = this.state;
    for (const body of decided.events) this.events.push({ seq: this.events.length + 1, at: this.now, body });
    expect(checkInvariants(decided.state)).toEqual([]);
    if (before) expect(checkStep(before, decided.state)).toEqual([]);
    expect(fold(this.itemId, this.events)).toEqual(decided.state);
    this.state = decided.state;
  }

  /** An event as if a command had led to it. */
  happens(body: EventBody): void {
    const event = { seq: this.events.length + 1, at: this.now, body };
    this.events.push(event);
    this.state = evolve(this.state, this.itemId, event);
  }

  // — the steps an engine takes, by Action —

  claimBody(id: string, owner = 'w1'): Extract<CommandBody, { type: 'Claim' }> {
    this.#runs += 1;
    const { generation } = this.action(id);
    return { type: 'Claim', actionId: id, generation, runId: `run-${this.#runs}`, owner, leaseMs: 60_000 };
  }

  claim(id: string, around: Around = {}): readonly SideWrite[] {
    return this.does(this.claimBody(id), { principal: ENGINE, ...around });
  }

  fence(id: string) {
    const run = this.item.runs.find((live) => live.actionId === id);
    if (!run) throw new Error(`${id} has no live Run`);
    return { runId: run.id, epoch: run.epoch, owner: run.owner };
  }

  dispatch(id: string): readonly SideWrite[] {
    const fence = this.fence(id);
    return this.does(
      { type: 'Dispatch', fence, base: this.item.branch.head, enforcement: ENFORCED },
      { principal: ENGINE },
    );
  }

  start(...ids: readonly string[]): void {
    for (const id of ids) {
      this.claim(id);
      this.dispatch(id);
    }
  }

  settleBody(id: string, outcome: Outcome, more: SettleMore = {}): Extract<CommandBody, { type: 'Settle' }> {
    const { commit = `commit-${id}`, changedPaths = [`${id}.txt`], usage = USED } = more;
    return {
      type: 'Settle',
      fence: this.fence(id),
      settlement: { kind: 'outcome', outcome, commit, changedPaths, receipts: [] },
      usage,
    };
  }

  settle(id: string, outcome: Outcome, more: SettleMore = {}): void {
    this.does(this.settleBody(id, outcome, more), { principal: ENGINE });
  }

  interrupt(id: string, code = 'shutdown'): void {
    const settlement = { kind: 'interrupted', code, error: 'not its doing' } as const;
    this.does({ type: 'Settle', fence: this.fence(id), settlement, usage: USED }, { principal: ENGINE });
  }

  expireBody(id: string, death: Death): CommandBody {
    const { runId, epoch } = this.fence(id);
    return { type: 'ExpireRun', runId, epoch, death };
  }

  expire(id: string, death: Death): void {
    this.does(this.expireBody(id, death), { principal: ENGINE });
  }

  merge(id: string, head = `${this.item.branch.head}+${id}`): void {
    const address = { actionId: id, generation: this.action(id).generation, expectedHead: this.item.branch.head };
    this.does({ type: 'RecordMerge', ...address, result: { kind: 'merged', head } }, { principal: ENGINE });
  }

  conflict(id: string): void {
    const address = { actionId: id, generation: this.action(id).generation, expectedHead: this.item.branch.head };
    const result = { kind: 'conflict', paths: ['x.txt'], ours: 'o', theirs: 't' } as const;
    this.does({ type: 'RecordMerge', ...address, result }, { principal: ENGINE });
  }

  /** Claim, dispatch, settle and, where it is due, merge. */
  completes(id: string, outcome: Outcome = completed(this.action(id).spec.for), more: SettleMore = {}): void {
    this.later();
    this.start(id);
    this.settle(id, outcome, more);
    if (this.dueKinds().includes('merge')) this.merge(id);
  }

  /** A Run of the newest verification that ends with these verdicts for all checks. */
  verifies(verdicts: Record<string, CheckVerdict>, flags: readonly ReceiptFlag[] = []): void {
    const { id } = this.verify;
    this.later();
    this.start(id);
    const { criteria } = this.item.contract;
    const receipts = Object.entries(verdicts).map(([key, verdict]) =>
      receipt(key, criteria.find((known) => known.id === key)?.version ?? 0, verdict, flags),
    );
    const settlement = { kind: 'outcome', outcome: completed(), changedPaths: [], receipts } as const;
    this.does({ type: 'Settle', fence: this.fence(id), settlement, usage: USED }, { principal: ENGINE });
  }

  fails(id: string, code = 'broken'): void {
    this.later();
    this.start(id);
    this.settle(id, { kind: 'failed', code, error: 'It broke.' });
  }

  retries(id: string): void {
    this.later();
    this.start(id);
    this.settle(id, { kind: 'retryable', code: 'exit', error: 'exit 1' });
  }

  answer(kind: RequestSubject['kind'], choice: HumanRequest['choices'][number], text = ''): void {
    this.does({ type: 'AnswerRequest', requestId: this.request(kind).id, choice, text });
  }

  publish(): void {
    this.does(
      { type: 'RecordPublish', ref: 'workcenter/item-1', commit: this.item.branch.head },
      { principal: ENGINE },
    );
  }

  beginLanding(): void {
    this.does({ type: 'BeginLanding', commit: this.item.branch.head }, { principal: ENGINE });
  }

  settleLanding(result: Extract<CommandBody, { type: 'SettleLanding' }>['result']): void {
    this.does({ type: 'SettleLanding', epoch: this.item.landingEpoch, result }, { principal: ENGINE });
  }

  /** Time passes: longer than any back-off. */
  later(ms = 120_000): void {
    this.now += ms;
  }
}

/** An item as given, created by a person and started unless said otherwise. */
export function scenario(given: Given = {}): Scenario {
  const made = new Scenario();
  made.does(createBody(given));
  return made;
}
