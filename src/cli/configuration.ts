import type { CoordinatorModel as Found } from '../engine/on-demand/model-catalogue.ts';
import type { Failure } from './answer.ts';
import { bad, failure } from './answer.ts';
import type { App } from './app.ts';
import { EXIT } from './exit-codes.ts';

/** The stored settings as the engine reads them. Loads the models and their prices. */
export async function storedConfiguration(app: App) {
  const { readConfiguration } = await import('../engine/configuration.ts');
  const { value } = await app.store.readSettings();
  return readConfiguration(value);
}

export type StoredConfiguration = Awaited<ReturnType<typeof storedConfiguration>>;

/** The model that the Coordinator would use now. */
export interface CoordinatorModel {
  readonly ref: string;
  /** False: what it costs cannot be said (D26). */
  readonly priced: boolean;
}

/** The Coordinator's model, or why there is none and what to set. */
export async function coordinatorOf(app: App, configuration: StoredConfiguration): Promise<CoordinatorModel | Failure> {
  const engine = await import('../engine/on-demand/model-catalogue.ts');
  return coordinatorOrFailure(engine.coordinatorOf(configuration, app.shell.env));
}

/** The same of what was found already. */
export function coordinatorOrFailure(found: Found): CoordinatorModel | Failure {
  if (found.kind === 'model') return { ref: found.ref, priced: found.priced };
  const { code, expected, next } = found;
  return failure(EXIT.invalid, code, 'The Coordinator has no model to think with.', {
    expected,
    found: found.found,
    next: `${next.replace(/[.]?$/, '.')} Or create it without starting: --draft`,
  });
}

/** A model without a price under a limit of money would be refused at its first call: better said before (D26). */
export function unpricedFailure({ ref, priced }: CoordinatorModel, hasMoneyLimit: boolean): Failure | undefined {
  if (priced || !hasMoneyLimit) return undefined;
  const next = `workcenter settings set prices.${ref} '{"input":1,"output":2}' (US dollars per million tokens), or --allow-unmetered`;
  return {
    ...bad(`No price of ${ref} is known, and there is a limit of money.`, 'a model with a price', ref, next),
    code: 'unpriced_model',
  };
}
