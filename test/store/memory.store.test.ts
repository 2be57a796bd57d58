import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { emptyTables } from '../../src/store/memory/tables.ts';
import { conformance } from './conformance.ts';

conformance({
  name: 'memory',
  skip: {},
  withStore: async (work, policy = { concurrency: 100 }) => {
    const tables = emptyTables();
    let at = 1_000_000;
    const now = () => at;
    const open = () => openMemoryStore({ tables, now, policy: () => policy });
    await work({
      store: open(),
      second: async () => open(),
      now,
      advance: async (ms) => {
        at += ms;
      },
    });
  },
});
