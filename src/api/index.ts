/** The front door of the API. */
export { createApi } from './api.ts';
export type { ApiDeps, Submit } from './deps.ts';
export { type ServedApi, type ServeOptions, serveApi } from './serve.ts';
