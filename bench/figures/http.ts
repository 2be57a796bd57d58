import { Agent, get } from 'node:http';
import { serveApi } from '../../src/api/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { itemId } from '../items.ts';
import { openItems } from '../large-store.ts';
import { median, timed } from '../statistics.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Reads an answer to its end over a connection that stays; throws where it is a refusal. */
const fetched = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.byteLength;
      });
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).on('error', reject);
  });

interface Question {
  readonly name: 'list' | 'head';
  readonly ask: (store: Store, index: number) => Promise<unknown>;
  readonly path: (index: number) => string;
}

const SPREAD = 997;

const questions = (count: number): readonly Question[] => {
  const id = (index: number) => itemId((index * SPREAD) % count);
  return [
    { name: 'list', ask: (store) => store.list({ limit: 50 }), path: () => '/work-items?limit=50' },
    { name: 'head', ask: (store, index) => store.load(id(index)), path: (index) => `/work-items/${id(index)}` },
  ];
};

/** The same question to the store and over HTTP, in turn, so that both meet the same machine. */
async function compare(question: Question, store: Store, url: string, rounds: number): Promise<readonly Line[]> {
  const direct: number[] = [];
  const served: number[] = [];
  const address = (index: number) => `${url}/api/v1${question.path(index)}`;
  // Twice, so that neither pays for reading an item for the first time, nor for code that was never run.
  for (let pass = 0; pass < 2; pass += 1) {
    direct.length = 0;
    served.length = 0;
    for (let index = 0; index < rounds; index += 1) {
      direct.push(await timed(() => question.ask(store, index)));
      served.push(await timed(() => fetched(address(index))));
    }
  }
  const [own, whole] = [median(direct), median(served)];
  const line = { unit: 'ms', n: rounds, note: `store alone: ${own.toPrecision(3)} ms` } as const;
  return [
    { name: `http.${question.name}_p50_ms`, value: whole, ...line },
    { name: `http.${question.name}_over_store_ms`, value: whole - own, ...line },
  ];
}

async function measure(options: BenchOptions): Promise<readonly Line[]> {
  const { path, count } = await openItems(options);
  const store = await openSqliteStore({ path, durability: 'normal' });
  const api = await serveApi({ store, version: 'bench', port: 0 });
  try {
    const lines: Line[] = [];
    for (const question of questions(count))
      lines.push(...(await compare(question, store, api.url, options.quick ? 10 : 300)));
    return lines;
  } finally {
    agent.destroy();
    await api.close();
    await store.close();
  }
}

/** What HTTP adds to a page of the list and to the head of an item. */
export const http: Benchmark = {
  names: ['http.list_p50_ms', 'http.list_over_store_ms', 'http.head_p50_ms', 'http.head_over_store_ms'],
  measure,
};
