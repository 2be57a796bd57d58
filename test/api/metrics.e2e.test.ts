import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveApi } from '../../src/api/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { startScriptedModel } from '../../src/testing.ts';
import { agent, commission, complete, coordinator, create, decide, submit, write } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';
import { type Served, served } from './http.ts';

const claims = [{ criterion: 'c1', status: 'passed', evidence: 'hello.txt greets.' }];

const script = {
  name: 'a greeting',
  steps: [
    coordinator(
      decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
      decide({ decisions: [complete('It greets.')] }),
    ),
    agent(/Make a true/, write('hello.txt', 'Hello!\n'), submit('Wrote hello.txt.', { claims })),
  ],
};

const SAMPLE = /^(?<series>[a-zA-Z_:][\w:]*(?:\{(?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)*\})?) (?<value>\S+)$/;

/** Every sample by its series; a line that is neither a sample nor a comment of the format is refused. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '');
  const samples = lines.filter((line) => !/^# (HELP|TYPE) \w+ \S/.test(line));
  return new Map(
    samples.map((line) => {
      const { series = '', value } = SAMPLE.exec(line)?.groups ?? {};
      expect(Number.isFinite(Number(value)) || /^(Nan|[+-]Inf)$/.test(value ?? ''), line).toBe(true);
      return [series, Number(value)];
    }),
  );
}

const read = async (at: Served): Promise<ReadonlyMap<string, number>> =>
  samplesOf(await (await at.get('/metrics')).text());

let at: Served;
let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeEach(async () => {
  model = await startScriptedModel(script);
  at = await served({ env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl, WORKCENTER_SCRIPTED_PROTOCOL: 'openai' } });
});
afterEach(async () => {
  await model.close();
  expect(await at.close()).toBe(0);
});

describe('the figures of a server', () => {
  it('agree with the store after an item was carried to its end', async () => {
    const engine = openEngine(at.world);
    await engine.start();
    await until('the item is done', async () => (await at.store.load(at.itemId))?.lifecycle === 'done');
    await engine.stop();
    const found = await read(at);
    const figure = (series: string) => found.get(`workcenter_${series}`);
    expect([figure('items{lane="done"}'), figure('items{lane="active"}'), figure('runs_running')]).toEqual([1, 0, 0]);
    expect(figure('items_total{what="done"}')).toBe(1);
    const runs = await at.store.runs(at.itemId);
    expect(runs.length).toBeGreaterThan(0);
    expect(figure('runs_ended_total{outcome="completed"}')).toBe(runs.length);
    expect([figure('runs_started_total{what="dispatched"}'), figure('runs_lost_total{cause="engine_died"}')]).toEqual([
      runs.length,
      0,
    ]);
    const calls = await at.store.calls(at.itemId);
    expect(figure('model_requests_total{end="responded"}')).toBe(calls.length);
    expect(figure('turns_total{end="decided"}')).toBe(2);
    const sum = (kind: 'input' | 'output' | 'chargedCostMicros') =>
      calls.reduce((total, call) => total + (call[kind] ?? 0), 0);
    for (const kind of ['input', 'output'] as const) {
      expect(sum(kind)).toBeGreaterThan(0);
      expect(figure(`tokens_total{kind="${kind}"}`)).toBe(sum(kind));
    }
    expect(sum('chargedCostMicros')).toBeGreaterThan(0);
    expect(figure('cost_micros_total{basis="reported"}')).toBe(sum('chargedCostMicros'));
  });

  it('name routes by their pattern, so that made-up addresses, methods and answers add no series', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => at.get(`/api/v1/work-items/nobody-${index}`)));
    await Promise.all(Array.from({ length: 20 }, (_, index) => at.get(`/nowhere/${index}`)));
    for (const method of ['PURGE', 'MKCOL', 'LOCK'])
      await fetch(`${at.api.url}/api/v1/work-items`, { method }).then((response) => response.text());
    const before = await read(at);
    const counts = [...before].filter(([series]) =>
      series.startsWith('workcenter_http_request_duration_seconds_count'),
    );
    expect(Object.fromEntries(counts)).toMatchObject({
      'workcenter_http_request_duration_seconds_count{method="GET",route="/api/v1/work-items/:id",status="404"}': 20,
      'workcenter_http_request_duration_seconds_count{method="GET",route="none",status="404"}': 20,
      'workcenter_http_request_duration_seconds_count{method="other",route="none",status="404"}': 3,
    });
    await at.get('/api/v1/work-items/somebody');
    const after = await read(at);
    const added = [...after.keys()].filter((series) => series.startsWith('workcenter_') && !before.has(series));
    // What came since the first look is that look itself.
    expect(added.filter((series) => !series.includes('route="/metrics"'))).toEqual([]);
    expect(after.size).toBeLessThan(400);
  });
});

it('counts the event streams that are open', async () => {
  const open = async () => (await read(at)).get('workcenter_streams_open');
  expect(await open()).toBe(0);
  const stream = await at.get(`/api/v1/work-items/${at.itemId}/stream`);
  expect(await open()).toBe(1);
  await stream.body?.cancel();
  await until('it is closed', async () => (await open()) === 0);
});

describe('readiness', () => {
  const ready = async (url: string) => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, ...((await response.json()) as object) };
  };

  it('says what is not ready, with 503 for as long as it is so', async () => {
    const engine = openEngine(at.world);
    const other = await serveApi({ store: at.store, version: 'test', port: 0, troubles: () => engine.troubles() });
    try {
      const waiting = { status: 503, code: 'not_ready' };
      expect(await ready(other.url)).toMatchObject({ ...waiting, detail: 'The engine has not started.' });
      await engine.start();
      expect(await ready(other.url)).toEqual({ status: 200, ok: true });
      await engine.stop();
      expect(await ready(other.url)).toMatchObject({ ...waiting, detail: 'The engine is stopping.' });
      expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('does not say so when the store does not answer', async () => {
    const store = { ...at.store, readSettings: () => Promise.reject(new Error('no disk')) };
    const other = await serveApi({ store, version: 'test', port: 0 });
    try {
      expect(await ready(other.url)).toMatchObject({ status: 503, detail: 'The store does not answer.' });
    } finally {
      await other.close();
    }
  });
});
