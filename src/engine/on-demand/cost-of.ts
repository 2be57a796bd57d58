import { roomsOf, wallClock } from '../../core/derive/budget.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { RunRow } from '../../store/rows.ts';
import type { CallRow } from '../../store/talk-rows.ts';

/** The five kinds of tokens, as providers report them. */
export const TOKEN_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning'] as const;
type TokenKind = (typeof TOKEN_KINDS)[number];

/** What a part of the work was charged; money in millionths of a US dollar. */
export interface Share extends Readonly<Record<TokenKind, number>> {
  readonly name: string;
  readonly requests: number;
  /** Charged tokens: cache reads weigh what they cost. */
  readonly tokens: number;
  readonly costMicros: number;
  /** Requests without a price: their money is not in the sum. */
  readonly unpriced: number;
  /** Requests whose end nobody knows: what is charged for them is an estimate. */
  readonly uncertain: number;
}

/** One limit: null where there is none. */
export interface LimitUse {
  readonly what: 'requests' | 'tokens' | 'costMicros' | 'wallMs';
  readonly limit: number | null;
  readonly used: number;
  readonly reserved: number;
}

export interface Cost {
  readonly limits: readonly LimitUse[];
  readonly runRequests: number;
  readonly attempts: number;
  readonly total: Share;
  /** The Coordinator, then each Action that asked a model. */
  readonly byWho: readonly Share[];
  readonly byModel: readonly Share[];
  /** Actions with Runs that report nothing themselves, such as commands (D27). */
  readonly unmetered: readonly string[];
  /** There are more calls than were added up; limits and their use are of all. */
  readonly cut: boolean;
}

/** Calls that are added up for one item; the newest. */
export const MOST_CALLS = 20_000;

const zero = (name: string): Share => ({
  name,
  requests: 0,
  tokens: 0,
  costMicros: 0,
  unpriced: 0,
  uncertain: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
});

const COORDINATOR = 'coordinator';

const wasCharged = ({ chargedTokens }: CallRow): boolean => chargedTokens !== null;

function plus(share: Share, call: CallRow): Share {
  const sums = TOKEN_KINDS.map((kind) => [kind, share[kind] + (call[kind] ?? 0)] as const);
  return {
    ...share,
    ...Object.fromEntries(sums),
    requests: share.requests + 1,
    tokens: share.tokens + (call.chargedTokens ?? 0),
    costMicros: share.costMicros + (call.chargedCostMicros ?? 0),
    unpriced: share.unpriced + Number(call.chargedCostMicros === null),
    uncertain: share.uncertain + Number(call.status === 'unknown'),
  };
}

function sharesBy(calls: readonly CallRow[], nameOf: (call: CallRow) => string): readonly Share[] {
  const shares = new Map<string, Share>();
  for (const call of calls) {
    const name = nameOf(call);
    shares.set(name, plus(shares.get(name) ?? zero(name), call));
  }
  return [...shares.values()].sort((a, b) => b.costMicros - a.costMicros || b.tokens - a.tokens);
}

function limitsOf(state: ItemState): readonly LimitUse[] {
  const { limitSec, reservedSec } = wallClock(state);
  const rooms = roomsOf(state).map(({ what, limit, used, reserved }) => ({ what, limit, used, reserved }));
  const limit = limitSec === null ? null : limitSec * 1_000;
  return [...rooms, { what: 'wallMs', limit, used: state.usage.wallMs, reserved: reservedSec * 1_000 }];
}

/** What an item was charged, by whom and for which model (D26, D27). */
export function costOf(state: ItemState, calls: readonly CallRow[], runs: readonly RunRow[]): Cost {
  const charged = calls.filter(wasCharged);
  const unmetered = runs.filter(({ usage }) => usage?.metered === false).map(({ actionId }) => actionId);
  return {
    limits: limitsOf(state),
    runRequests: state.limits.runRequests,
    attempts: state.limits.attempts,
    total: charged.reduce(plus, zero('all')),
    byWho: sharesBy(charged, ({ actionId }) => actionId ?? COORDINATOR),
    byModel: sharesBy(charged, ({ model }) => model),
    unmetered: [...new Set(unmetered)],
    cut: calls.length >= MOST_CALLS,
  };
}
