/** The front door of the API. */
export { RATE_LIMITS, type RateLimits } from './access/rate-limits.ts';
export { mintToken, type TokenPrint } from './access/token.ts';
export { createApi } from './api.ts';
export type { ApiDeps, Submit } from './deps.ts';
export type { FailedRequest, Report } from './failures.ts';
export { type OnMachine, onMachine } from './on-machine.ts';
export { type Place, placeOf } from './place.ts';
export { needsToken, type ServedApi, type ServeOptions, serveApi } from './serve.ts';
