import {
  type Catalogue,
  type Environment,
  listModels,
  type ModelFailure,
  priceOf,
  resolveModel,
} from '../../model/index.ts';
import { type Configuration, coordinatorModel, modelSettings, readConfiguration } from '../configuration.ts';

/** The model that the Coordinator would use now; `priced` false: what it costs cannot be said (D26). */
export type CoordinatorModel = Readonly<{ kind: 'model'; ref: string; priced: boolean }> | ModelFailure;

export function coordinatorOf(configuration: Configuration, environment: Environment): CoordinatorModel {
  const settings = modelSettings(configuration);
  const found = resolveModel(coordinatorModel(configuration), settings, environment);
  if (found.kind !== 'model') return found;
  return { kind: 'model', ref: found.ref, priced: priceOf(found.ref, settings.prices ?? {}) !== undefined };
}

export interface ModelCatalogue extends Catalogue {
  readonly coordinator: CoordinatorModel;
}

/** Providers, tags, prices and the Coordinator's model, under these stored settings. */
export function modelCatalogue(environment: Environment, stored: Readonly<Record<string, unknown>>): ModelCatalogue {
  const configuration = readConfiguration(stored);
  return {
    ...listModels(environment, modelSettings(configuration)),
    coordinator: coordinatorOf(configuration, environment),
  };
}
