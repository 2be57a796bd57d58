/** The front door of the models: references, calls, prices. */
export { type CallOptions, callModel, IDLE_TIMEOUT_MS } from './call-model.ts';
export { type Catalogue, listModels, type ProviderEntry } from './catalogue.ts';
export { type Decoded, decodeRequest, decodeResponse, encodeRequest, encodeResponse } from './encode-request.ts';
export type { ModelFailure } from './model-failure.ts';
export {
  DEFAULT_TAGS,
  isModelTag,
  type ModelPolicy,
  type ModelRef,
  parseModelRef,
  type ResolvedModel,
  resolveModel,
} from './model-ref.ts';
export * from './model-request.ts';
export * from './model-response.ts';
export {
  type Environment,
  MODEL_TAGS,
  type ModelSettings,
  type ModelTag,
  PROVIDER_KINDS,
  type ProviderKind,
  type ProviderSettings,
} from './model-settings.ts';
export { modelSettingsSchema } from './model-settings-schema.ts';
export { PRICES_AS_OF, PRICES_SOURCE, type Price, type PriceTable, type Rates } from './price-table.ts';
export { type Charge, chargeOf, estimateOf, priceOf } from './prices.ts';
export { providerOf, type ResolvedProvider } from './providers.ts';
export { type NextTry, nextTry, RETRY } from './retry.ts';
export type { Activity } from './wire.ts';
