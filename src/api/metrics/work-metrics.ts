import { Counter, Gauge, type Registry } from 'prom-client';
import type { CallTokens, Death, EndedRun, EventOf, EventType, StoredEvent } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';

type Call = EventOf<'CallSettled'>;
type Ended = EndedRun['status'];

const OUTCOMES: readonly Ended[] = [
  ...(['completed', 'waiting', 'retryable', 'failed', 'interrupted'] as const),
  ...(['cancelled', 'superseded', 'unknown'] as const),
];
const DEATHS: readonly Death[] = ['lease_expired', 'engine_died', 'engine_stopped', 'machine_rebooted'];
const TOKENS = {
  input: 'input',
  output: 'output',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  reasoning: 'reasoning',
} as const satisfies Readonly<Record<keyof CallTokens, string>>;

/** A counter whose every series is there from the start: one that appears late looks like no increase. */
function counter<V extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: readonly V[],
): (value: V, by?: number) => void {
  const made = new Counter({ name: `workcenter_${name}`, help, labelNames: [label], registers: [registry] });
  const series = new Map(values.map((value) => [value, made.labels(value)]));
  for (const one of series.values()) one.inc(0);
  return (value, by = 1) => series.get(value)?.inc(by);
}

/** What stands in the store now: asked for when somebody looks, from rows that the store keeps up to date anyway. */
function gauges(registry: Registry, store: Store): void {
  const registers = [registry];
  new Gauge({
    ...{ name: 'workcenter_items', help: 'Items in the store, by lane.', labelNames: ['lane'], registers },
    async collect() {
      const { counts } = await store.list({ limit: 1 });
      for (const [lane, count] of Object.entries(counts)) this.set({ lane }, count);
    },
  });
  new Gauge({
    ...{ name: 'workcenter_runs_running', help: 'Runs that hold a lease, of every process.', registers },
    async collect() {
      this.set((await store.liveRuns()).length);
    },
  });
}

function counters(registry: Registry) {
  const make = <V extends string>(name: string, help: string, label: string, values: readonly V[]) =>
    counter(registry, name, help, label, values);
  return {
    items: make('items_total', 'Items that came to be, and that ended.', 'what', ['created', 'done', 'cancelled']),
    held: make('holds_total', 'Holds that were put on items, and cleared.', 'what', ['held', 'resumed']),
    requests: make('requests_total', 'Requests to people.', 'what', ['opened', 'answered', 'withdrawn']),
    started: make('runs_started_total', 'Runs, by what became of their start.', 'what', ['claimed', 'dispatched']),
    ended: make('runs_ended_total', 'Runs that ended, by outcome.', 'outcome', OUTCOMES),
    lost: make('runs_lost_total', 'Runs that were taken from an owner who had gone.', 'cause', DEATHS),
    late: make('late_results_total', 'Words of owners who had lost their Run.', 'what', ['recorded']),
    turns: make('turns_total', 'Turns of Coordinators.', 'end', ['opened', 'decided', 'failed', 'retired']),
    calls: make('model_requests_total', 'Requests to models that ended.', 'end', ['responded', 'rejected', 'unknown']),
    tokens: make('tokens_total', 'Tokens that providers reported.', 'kind', Object.values(TOKENS)),
    cost: make('cost_micros_total', 'Millionths of a US dollar.', 'basis', ['reported', 'estimated']),
    unpriced: make('unpriced_requests_total', 'Answers of models without a price.', 'what', ['answered']),
  };
}

type Counters = ReturnType<typeof counters>;

function countCall({ calls, tokens, cost, unpriced }: Counters, call: Call): void {
  calls(call.as);
  if (call.as === 'rejected') return;
  const { costMicros } = call.charge;
  cost(call.as === 'responded' ? 'reported' : 'estimated', costMicros ?? 0);
  if (call.as !== 'responded') return;
  if (costMicros === null) unpriced('answered');
  countTokens(tokens, call.tokens);
}

function countTokens(tokens: Counters['tokens'], reported: CallTokens | null): void {
  if (reported === null) return;
  for (const kind of Object.keys(TOKENS) as (keyof typeof TOKENS)[]) tokens(TOKENS[kind], reported[kind]);
}

/** Events that count by their kind alone. */
const BY_KIND: Readonly<Partial<Record<EventType, (to: Counters) => void>>> = {
  ItemCreated: ({ items }) => items('created'),
  ItemCompleted: ({ items }) => items('done'),
  ItemCancelled: ({ items }) => items('cancelled'),
  ItemHeld: ({ held }) => held('held'),
  ItemResumed: ({ held }) => held('resumed'),
  RequestOpened: ({ requests }) => requests('opened'),
  RequestAnswered: ({ requests }) => requests('answered'),
  RequestWithdrawn: ({ requests }) => requests('withdrawn'),
  RunClaimed: ({ started }) => started('claimed'),
  RunDispatched: ({ started }) => started('dispatched'),
  LateResultRecorded: ({ late }) => late('recorded'),
  TurnOpened: ({ turns }) => turns('opened'),
  TurnDecided: ({ turns }) => turns('decided'),
  TurnFailed: ({ turns }) => turns('failed'),
  TurnRetired: ({ turns }) => turns('retired'),
};

/** What one event adds; most add nothing. */
function count(to: Counters, { body }: StoredEvent): void {
  BY_KIND[body.type]?.(to);
  if (body.type === 'RunSettled') {
    to.ended(body.run.status);
    const death = DEATHS.find((each) => each === body.run.code);
    if (death) to.lost(death);
    for (const { as } of body.calls ?? []) if (as === 'unknown') to.calls('unknown');
  }
  if (body.type === 'CallSettled') countCall(to, body);
  if (body.type === 'CallCorrected') {
    to.cost('reported', body.charge.costMicros ?? 0);
    countTokens(to.tokens, body.tokens);
  }
}

/**
 * Figures of the work. Gauges are read from the store; counters count the commits of this process since it started,
 * so that nothing is ever counted by reading. Answers how to stop counting.
 */
export function workMetrics(registry: Registry, store: Store): () => void {
  gauges(registry, store);
  const to = counters(registry);
  return store.onCommit((_state, events) => {
    for (const event of events) count(to, event);
  });
}
