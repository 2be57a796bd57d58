import { type Forecast, forecastOf, type ItemShape } from '../../coordinator/forecast.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { Store } from '../../store/store.ts';
import { type Cost, costOf, MOST_CALLS } from './cost-of.ts';

const MOST_RUNS = 1_000;

/** What an item like this may take, from what the person's own finished items took (D26). */
export async function forecastFor(store: Pick<Store, 'history'>, shape: ItemShape): Promise<Forecast> {
  const done = await store.history();
  const { target } = shape.delivery;
  return forecastOf(
    done.map(({ usage, total }) => ({ usage, criteria: total, target })),
    shape,
  );
}

export interface ItemCost extends Cost {
  /** Requests whose end nobody knows: what is charged for them is an estimate. */
  readonly uncertain: readonly Pick<ItemState['uncertain'][number], 'id' | 'model' | 'charge'>[];
  readonly forecast: Forecast;
}

/** Limits and their use, who was charged what, and what an item like this usually takes. */
export async function itemCost(store: Pick<Store, 'calls' | 'runs' | 'history'>, state: ItemState): Promise<ItemCost> {
  const [calls, runs, forecast] = await Promise.all([
    store.calls(state.id, { limit: MOST_CALLS }),
    store.runs(state.id, { limit: MOST_RUNS }),
    forecastFor(store, state.contract),
  ]);
  const uncertain = state.uncertain.map(({ id, model, charge }) => ({ id, model, charge }));
  return { ...costOf(state, calls, runs), uncertain, forecast };
}
