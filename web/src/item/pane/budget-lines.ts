import type { Item } from '../../../../src/client/index.ts';

export type Budgeted = 'costMicros' | 'tokens' | 'requests' | 'wallClockSec';

/** One thing that is counted, against what was agreed. */
export interface BudgetLine {
  readonly what: Budgeted;
  readonly used: number;
  /** Null: there is none. */
  readonly limit: number | null;
  readonly state: 'fine' | 'nearly' | 'spent';
}

/** From here on it is told, as the command line does. */
const NEARLY = 0.8;

/** A hold says that the next step does not fit, although something may be left. */
const HOLDS: Readonly<Record<string, Budgeted>> = {
  money_exhausted: 'costMicros',
  tokens_exhausted: 'tokens',
  requests_exhausted: 'requests',
  wall_clock_exhausted: 'wallClockSec',
};

function stateOf(used: number, limit: number | null, isHeld: boolean): BudgetLine['state'] {
  if (isHeld) return 'spent';
  if (limit === null || used < limit * NEARLY) return 'fine';
  return used < limit ? 'nearly' : 'spent';
}

/** What nobody measured has no line: it would read as nothing. */
export function budgetLines({ usage, limits, hold }: Pick<Item, 'usage' | 'limits' | 'hold'>): readonly BudgetLine[] {
  const used = { ...usage, wallClockSec: usage.wallMs / 1_000 };
  const models: readonly Budgeted[] = ['costMicros', 'tokens', 'requests'];
  const isMeasured = usage.metered || usage.requests > 0;
  return [...(isMeasured ? models : []), 'wallClockSec' as const].map((what) => {
    const set = limits[what];
    const limit = typeof set === 'number' ? set : null;
    return { what, used: used[what], limit, state: stateOf(used[what], limit, HOLDS[hold?.code ?? ''] === what) };
  });
}
