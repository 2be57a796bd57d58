import { type ServedApi, type ServeOptions, serveApi } from '../../src/api/index.ts';
import type { Command, ItemState } from '../../src/core/index.ts';
import { openMemoryStore, type Store } from '../../src/store/index.ts';
import { builtPage } from './built-page.ts';

/** The page served over a store that nobody carries: work stands as the commands of a test have left it. */
export interface StoredWork {
  readonly store: Store;
  readonly url: string;
  /** Carries out commands; one that is refused fails the test. */
  does(...commands: readonly Command[]): Promise<void>;
  state(id: string): Promise<ItemState>;
  /** Serves the same store a second time, otherwise. */
  serve(options: Partial<ServeOptions>): Promise<ServedApi>;
  close(): Promise<void>;
}

export async function openStoredWork(): Promise<StoredWork> {
  const store = openMemoryStore();
  const page = await builtPage();
  const serve = (options: Partial<ServeOptions> = {}): Promise<ServedApi> =>
    serveApi({ store, version: '1.0.0', port: 0, page, ...options });
  const api = await serve();
  return {
    ...{ store, url: api.url, serve },
    async does(...commands) {
      for (const each of commands) {
        const said = await store.execute(each);
        if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
      }
    },
    async state(id) {
      const state = await store.load(id);
      if (!state) throw new Error(`no item ${id}`);
      return state;
    },
    async close() {
      await api.close();
      await store.close();
    },
  };
}
