/** One of several processes that write to the same store as fast as they can; answers its longest stall. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openSqliteStore } from '../../src/store/index.ts';
import { claim, create, dispatch, itemId, settle } from '../items.ts';
import { MANY_RUNS, mustHave } from '../seed.ts';

const [path = '', prefix = '', count = '0'] = process.argv.slice(2);
/** Loading and compiling are not what is asked about. */
const WARM_UP = 30;
const RESOLUTION_MS = 1;

async function carryOne(store: Awaited<ReturnType<typeof openSqliteStore>>, index: number): Promise<void> {
  const cycle = { item: itemId(index, prefix), run: `${prefix}-${index}` };
  mustHave(await store.execute(create(cycle.item, index)));
  mustHave(await store.execute(claim(cycle)));
  mustHave(await store.execute(dispatch(cycle)));
  mustHave(await store.execute(settle(cycle)));
  await store.list({ limit: 50 });
}

const store = await openSqliteStore({ path, durability: 'full', policy: () => MANY_RUNS });
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
for (let index = 0; index < WARM_UP; index++) await carryOne(store, index);
delay.enable();
for (let index = WARM_UP; index < WARM_UP + Number(count); index++) await carryOne(store, index);
delay.disable();
await store.close();
// An exact message: the parent reads one line.
process.stdout.write(`${JSON.stringify({ stallMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) })}\n`);
