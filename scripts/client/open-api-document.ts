import { localAccess } from '../../src/api/access/access.ts';
import { createApi } from '../../src/api/api.ts';
import { documentOf } from '../../src/api/document.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';

/** What `GET /openapi.json` answers, without a server: it depends on the code alone. */
export function openApiDocument() {
  const deps = {
    store: openMemoryStore(),
    version: '0',
    hosts: () => [],
    heartbeatMs: 1_000,
    access: localAccess(),
    report: () => undefined,
  };
  return documentOf(createApi(deps, AbortSignal.abort()), deps.version);
}
