import type { Forecast } from '../coordinator/forecast.ts';
import type { Contract } from '../core/model/contract.ts';
import type { App } from './app.ts';

/** What an item like this may take, from what the person's own finished items took (D26). */
export async function forecastFor(app: App, contract: Contract): Promise<Forecast> {
  const { forecastOf } = await import('../coordinator/forecast.ts');
  const done = await app.store.history();
  const { target } = contract.delivery;
  const history = done.map(({ usage, total }) => ({ usage, criteria: total, target }));
  return forecastOf(history, contract);
}
