import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CallFence, Command, CommandBody } from '../../src/core/index.ts';
import { openSqliteStore, type SqliteStore, sha256Hex } from '../../src/store/index.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { claim, create, dispatch, OWNER } from '../items.ts';
import { mustHave } from '../seed.ts';
import { median, timed } from '../statistics.ts';

const ITEM = 'asker';
const RUN = 'run-1';
const FENCE: CallFence = { kind: 'run', run: { runId: RUN, epoch: 1, owner: OWNER } };
const REQUEST_BYTES = 64 * 1024;
const RESPONSE_BYTES = 4 * 1024;
const WITHOUT_END = { requests: 1_000_000, runRequests: 1_000_000, tokens: 1_000_000_000_000 } as const;

const command = (body: CommandBody): Command => ({ itemId: ITEM, principal: { kind: 'engine', name: 'engine' }, body });

/** One turn of a model as the store sees it: written ahead with its bytes, sent, settled with the answer's bytes. */
async function turn(store: SqliteStore, n: number, request: string, response: string): Promise<void> {
  const callId = `call-${n}`;
  const estimate = { tokens: 20_000, costMicros: 60_000 };
  const asked = { requestHash: sha256Hex(request), estimate, messages: 0 };
  const prepare = command({ type: 'PrepareCall', fence: FENCE, callId, n, model: 'scripted/one', ...asked });
  mustHave(await store.executeWith(prepare, [request]));
  mustHave(await store.execute(command({ type: 'DispatchCall', fence: FENCE, callId })));
  const verdict = {
    as: 'responded',
    responseHash: sha256Hex(response),
    charge: { tokens: 18_000, costMicros: 54_000 },
    tokens: { input: 17_000, output: 900, cacheRead: 0, cacheWrite: 0, reasoning: 100 },
    stop: 'tool_use',
  } as const;
  const settle = command({ type: 'SettleCall', fence: FENCE, callId, verdict });
  mustHave(await store.executeWith(settle, [response]));
}

const text = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

/**
 * What the journal of model requests costs per request, at the default durability: three commits, the hash of both
 * bodies, and the rows. The bodies are new each time, so that each is stored.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const store = await openSqliteStore({ path: join(root, 'turn.db') });
  const born = create(ITEM, 1);
  if (born.body.type !== 'CreateItem') throw new Error('no item is created');
  const limits = { ...born.body.limits, ...WITHOUT_END };
  mustHave(await store.execute({ ...born, body: { ...born.body, limits } }));
  const cycle = { item: ITEM, run: RUN };
  mustHave(await store.execute(claim(cycle)));
  mustHave(await store.execute(dispatch(cycle)));
  const samples: number[] = [];
  for (let n = 1; n <= (quick ? 10 : 500); n++) {
    const [request, response] = [text(REQUEST_BYTES), text(RESPONSE_BYTES)];
    samples.push(await timed(() => turn(store, n, request, response)));
  }
  await store.close();
  const note = `three commits; ${REQUEST_BYTES / 1024} KiB asked, ${RESPONSE_BYTES / 1024} KiB answered`;
  return [
    { name: 'turn.overhead_ms', value: median(samples), unit: 'ms', n: samples.length, durability: 'full', note },
  ];
}

export const turnOverhead: Benchmark = { names: ['turn.overhead_ms'], measure };
