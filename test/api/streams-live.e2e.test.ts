import type { EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { serveApi } from '../../src/api/index.ts';
import { openLiveText } from '../../src/engine/index.ts';
import { openGoalBench } from '../engine/coordinated-bench.ts';
import { call, commission, complete, coordinator, create, decide, submit, turnsOf } from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { frameReader } from './live-api.ts';

const CANARY = 'canary-5f1d0c7e9b2a4d68';
/** Puts it together, so that no text holds it before the shell says it. */
const SAY = `c=${CANARY.slice(0, 12)}; echo "\${c}${CANARY.slice(12)} is printed"`;

const steps = [
  coordinator(
    { text: `I look.\nThere is ${CANARY}.\n`, ...decide({ decisions: [create(commission('a', { for: ['c1'] }))] }) },
    decide({ decisions: [complete()] }),
  ),
  {
    name: 'the agent',
    when: { tools: ['submit_outcome'], conversation: /Make a true/ },
    reply: ({ messages }: { readonly messages: Parameters<typeof turnsOf>[0] }) =>
      turnsOf(messages) === 0
        ? { text: `I print ${CANARY}.`, ...call('shell', { command: `${SAY}; touch good.txt` }) }
        : submit(),
  },
];

interface Body {
  readonly type: string;
  readonly callId?: string;
  readonly run?: { readonly id: string };
}

interface Told {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly body?: Body };
}

const told = ({ event = '', data }: EventSourceMessage): Told => ({ event, data: JSON.parse(data) });
const sourceOf = ({ callId, runId }: Told['data']): string => String(callId ?? runId);

it('what models say and Runs print comes live, without secrets (D38), and ends behind the event that says what it came to', async () => {
  const liveText = openLiveText();
  const bench = await openGoalBench({ env: { DEPLOY_TOKEN: CANARY }, steps, liveText });
  const api = await serveApi({ store: bench.world.store, version: 'test', port: 0, liveText });
  const check = `${SAY}; test -e good.txt`;
  const item = await bench.submit({ goal: 'Make it good', criteria: [checkedBy('c1', check)] });
  const reader = frameReader(await fetch(`${api.url}/api/v1/work-items/${item.id}/stream`));
  const frames: Told[] = [];
  while (frames.at(-1)?.data.body?.type !== 'ItemCompleted') {
    const frame = await reader.next();
    if (!frame) break;
    frames.push(told(frame));
  }
  await reader.cancel();
  await api.close();
  await bench.close();

  const live = frames.filter(({ event }) => event === 'live');
  const textOf = (is: (data: Told['data']) => boolean) =>
    live.flatMap(({ data }) => (is(data) ? [data.text] : [])).join('');
  expect(textOf(({ turnId }) => turnId !== undefined)).toContain('I look.\nThere is [redacted].\n');
  expect(textOf(({ kind, runId }) => kind === 'text' && runId !== undefined)).toContain('I print [redacted].');
  const output = textOf(({ kind }) => kind === 'output');
  // What the agent's shell prints, and what the engine's own check prints.
  expect(output.match(/^\[redacted\] is printed$/gm)?.length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(frames)).not.toContain(CANARY);

  const placeOf = (is: (frame: Told) => boolean) => frames.findIndex(is);
  for (const source of new Set(live.map(({ data }) => sourceOf(data)))) {
    const end = placeOf(({ event, data }) => event === 'live-end' && sourceOf(data) === source);
    const settled = placeOf(
      ({ data: { body } }) =>
        (body?.type === 'CallSettled' && body.callId === source) ||
        (body?.type === 'RunSettled' && body.run?.id === source),
    );
    expect(settled, source).toBeGreaterThan(-1);
    expect(end, source).toBeGreaterThan(settled);
  }
});
