import { type Answer, type ClientProblem, ProblemError, type WorkCenterClient } from '../../client/index.ts';
import type { StoredEvent } from '../../core/index.ts';
import { openReplica } from '../../store/memory/open-replica.ts';
import type { ListPage, ListQuery, Store, WorkerRow } from '../../store/store.ts';

const EVENTS = 1_000;
const ITEMS = 500;
/** Ids that a prefix may name, like those of any store. */
const IDS = 20;
const HISTORY = 50;

const LOCAL: ClientProblem = {
  code: 'needs_local_store',
  status: 409,
  detail: 'This part of the command works on the machine of the data only.',
  expected: 'no WORKCENTER_URL, and the data directory of this machine',
  next: 'Run it on the machine of the server.',
};

const local = (): never => {
  throw new ProblemError(LOCAL);
};

/** What was answered, or the refusal thrown: a store has no other way. */
function told<T>(answer: Answer<T>): T {
  if (answer.problem) throw new ProblemError(answer.problem);
  return answer.data;
}

async function list(client: WorkCenterClient, { search, ...query }: ListQuery): Promise<ListPage> {
  const params = { query: { ...query, ...(search === undefined ? {} : { q: search }) } };
  const answer = await client.get('/api/v1/work-items', { params });
  if (answer.problem?.code === 'invalid_cursor') throw new RangeError(answer.problem.detail);
  const page = told(answer);
  // Of a local store a list does not tell who works.
  return { ...page, items: page.items.map(({ atWork: _atWork, ...item }) => item) } as ListPage;
}

/** Ids that begin so, among all of them: the API knows whole ids only. */
async function findItems(client: WorkCenterClient, prefix: string): Promise<readonly string[]> {
  const whole = await client.get('/api/v1/work-items/{id}', { params: { path: { id: prefix } } });
  if (!whole.problem) return [prefix];
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(client, { limit: ITEMS, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.items.map(({ id }) => id).filter((id) => id.startsWith(prefix)));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < IDS);
  return found.toSorted().slice(0, IDS);
}

/** Whoever serves is there to carry what is due. */
const server = (now: number): WorkerRow => ({
  ...{ owner: 'server', machine: 'elsewhere', pid: 0, startTime: '0', bootId: 'elsewhere/unknown', version: '' },
  ...{ firstSeenAt: now, heartbeatAt: now, stoppedAt: null },
});

/**
 * A server's store as commands read one: events are fetched as they are needed and folded here, so that every page is
 * the one that the machine of the server would show. What changes something goes over HTTP and not through here.
 */
export function remoteStore(client: WorkCenterClient, now: () => number): Store {
  const { store, take } = openReplica(now);
  const versions = new Map<string, number>();

  async function catchUp(id: string): Promise<void> {
    for (let more = true; more; ) {
      const after = versions.get(id) ?? 0;
      const params = { path: { id }, query: { after, limit: EVENTS } };
      const answer = await client.get('/api/v1/work-items/{id}/events', { params });
      if (answer.problem?.code === 'item_not_found') return;
      const page = told(answer);
      const events = page.events as readonly StoredEvent[];
      // Somebody may have asked for the same meanwhile.
      if ((versions.get(id) ?? 0) === after) {
        take(id, events);
        versions.set(id, events.at(-1)?.seq ?? after);
      }
      more = page.more;
    }
  }

  const fresh =
    <A extends readonly unknown[], T>(read: (id: string, ...rest: A) => Promise<T>) =>
    async (id: string, ...rest: A): Promise<T> => {
      await catchUp(id);
      return read(id, ...rest);
    };

  return {
    ...store,
    load: fresh(store.load),
    events: fresh(store.events),
    runs: fresh(store.runs),
    entries: fresh(store.entries),
    calls: fresh(store.calls),
    call: fresh(store.call),
    list: (query) => list(client, query),
    findItems: (prefix) => findItems(client, prefix),
    history: async () => {
      const { items } = await list(client, { lane: 'done', limit: HISTORY });
      return items.filter(({ lifecycle }) => lifecycle === 'done');
    },
    workers: async () => [server(now())],
    async readSettings() {
      const { version, settings } = told(await client.get('/api/v1/settings'));
      return { version, value: { ...settings } };
    },
    ...{ execute: local, executeWith: local, writeSettings: local, backup: local },
    ...{ doctor: local, repair: local, putRecord: local, acquireLease: local },
  };
}
