import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../src/testing.ts';
import { saying, scripted } from './clients.ts';

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'scripted-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

const chat = ({ openaiUrl }: ScriptedModel, content: string, more: object = {}): Promise<Response> =>
  post(`${openaiUrl}/chat/completions`, { model: 'm', messages: [{ role: 'user', content }], ...more });

interface Body {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly error: { readonly message: string; readonly type: string };
}

const bodyOf = async (response: Response): Promise<Body> => (await response.json()) as Body;
const textOf = async (response: Response): Promise<string | undefined> =>
  (await bodyOf(response)).choices[0]?.message.content;

describe('a request that no step matches', () => {
  test('is refused with 400, says what it was and what each step wanted, and is recorded as unmatched', async () => {
    const when = { asks: 'planner', says: /never/ };
    const model = await scripted({ name: 'narrow', steps: [{ name: 'plan', when, reply: { text: 'x' } }] });
    const messages = [
      { role: 'system', content: 'You are the planner.' },
      { role: 'user', content: `${'old '.repeat(200)}the very end` },
    ];
    const tools = [{ type: 'function', function: { name: 'decide', parameters: {} } }];
    const response = await post(`${model.openaiUrl}/chat/completions`, { model: 'm', messages, tools });
    const { message } = (await bodyOf(response)).error;
    expect(response.status).toBe(400);
    expect(message).toContain('No step of the scenario "narrow"');
    expect(message).toContain('Asks: You are the planner.');
    expect(message).toContain('Tools: decide');
    expect(message).toContain('the very end');
    expect(message).toContain('plan: says /never/');
    expect(message.length).toBeLessThan(900);
    expect(model.unmatched).toMatchObject([{ number: 1, step: null, problem: message }]);
  });

  test('is refused in the shape of its protocol', async () => {
    const model = await scripted({ name: 'none', steps: [{ when: { turn: 9 }, reply: { text: 'x' } }] });
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    const anthropic = await post(`${model.url}/v1/messages`, body);
    expect([anthropic.status, await anthropic.json()]).toMatchObject([
      400,
      { type: 'error', error: { type: 'invalid_request_error' } },
    ]);
  });

  test.each([
    ['/v1/chat/completions', '{"model": "m"', 'the body is no JSON object'],
    ['/v1/chat/completions', { model: 'm' }, 'messages: expected a list'],
    ['/v1/responses', { model: 'm' }, 'input: expected a text or list'],
    ['/v1/messages', { model: 'm', messages: [] }, 'max_tokens: expected a number'],
    ['/anthropic/v1/messages', { messages: [], max_tokens: 1 }, 'model: expected a text'],
  ])('%s with %j cannot be read: %s', async (path, body, problem) => {
    const model = await scripted(saying('x'));
    const response = await post(`${model.url}${path}`, body);
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([400, `unreadable request: ${problem}`]);
    expect(model.unmatched).toHaveLength(1);
  });

  test('of an unknown path there is 404', async () => {
    const model = await scripted(saying('x'));
    const response = await post(`${model.url}/v1/embeddings`, {});
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([
      404,
      expect.stringContaining('POST /v1/embeddings is not served here'),
    ]);
  });
});

describe('replies', () => {
  test('name what they cannot know: groups of the patterns and values of the conversation', async () => {
    const model = await scripted({
      name: 'templates',
      steps: [
        {
          when: { says: /Action (?<action>act_\w+)/, asks: /project (?<project>\w+)/ },
          reply: { text: '{{action}} of {{ project }}; \\{{action}} and {{ a.b }} stay; {{$.tools[0]}}' },
        },
      ],
    });
    const messages = [
      { role: 'system', content: 'For project apollo.' },
      { role: 'user', content: 'Action act_7f failed' },
    ];
    const tools = [{ type: 'function', function: { name: 'decide' } }];
    const response = await post(`${model.openaiUrl}/chat/completions`, { model: 'm', messages, tools });
    expect(await textOf(response)).toBe('act_7f of apollo; {{action}} and {{ a.b }} stay; decide');
  });

  test('a template that finds nothing is refused and recorded, not sent', async () => {
    const model = await scripted({ name: 'gap', steps: [{ reply: { text: 'Hello {{who}} {{$.none[0]}}' } }] });
    const { message } = (await bodyOf(await chat(model, 'Hi'))).error;
    expect(message).toBe('Step steps[0] of "gap": nothing found for who, $.none[0] (captured groups: none)');
    expect(model.unmatched).toMatchObject([{ step: 0, problem: message }]);
  });

  test('can be made by a function of the request', async () => {
    const model = await scripted({
      name: 'function',
      steps: [{ reply: ({ said, turn }) => Promise.resolve({ text: `${said.toUpperCase()} ${turn} {{raw}}` }) }],
    });
    expect(await textOf(await chat(model, 'loud'))).toBe('LOUD 1 {{raw}}');
  });

  test('a function that throws is a refusal with its message', async () => {
    const fail = () => {
      throw new Error('no idea');
    };
    const model = await scripted({ name: 'function', steps: [{ reply: fail }] });
    const response = await chat(model, 'Hi');
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([
      400,
      'Step steps[0] of "function": its reply function threw: no idea',
    ]);
  });

  test('wait as long as they are told, before the first byte and between events', async () => {
    const slept: number[] = [];
    const sleep = (durationMs: number) => Promise.resolve(void slept.push(durationMs));
    const reply = { text: 'One', usage: false, delayMs: 5000, chunkDelayMs: 70 } as const;
    const model = await scripted({ name: 'slow', steps: [{ reply }] }, { sleep });
    const events = (await (await chat(model, 'Hi', { stream: true })).text()).trim().split('\n\n');
    expect(slept).toEqual([5000, ...events.slice(1).map(() => 70)]);
  });

  test('that wait do not hold up others', async () => {
    const steps = [
      { when: { says: 'slow' }, reply: { text: 'at last', delayMs: 500_000 } },
      { reply: { text: 'now' } },
    ];
    const model = await scripted({ name: 'two', steps });
    const giveUp = new AbortController();
    const slow = fetch(`${model.openaiUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'slow' }] }),
      signal: giveUp.signal,
    }).catch(() => 'gave up');
    await expect.poll(() => model.requests.length).toBe(1);
    expect(await textOf(await chat(model, 'fast'))).toBe('now');
    giveUp.abort();
    expect(await slow).toBe('gave up');
  });
});

describe('records', () => {
  test('each request is a line of the file, before it is answered, with its number, step and time', async () => {
    const path = join(temporaryDirectory(), 'requests.jsonl');
    const lines = () =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    const atRequest: number[] = [];
    const onRequest = () => void atRequest.push(lines().length);
    const model = await scripted(saying('a', 'b'), { record: path, onRequest, now: () => 1234 });
    await chat(model, 'first');
    await chat(model, 'second');
    expect(atRequest).toEqual([1, 2]);
    expect(lines()).toMatchObject([
      { number: 1, at: 1234, said: 'first', step: 0, stepName: 'steps[0]', protocol: 'openai-chat' },
      { number: 2, at: 1234, said: 'second', step: 1, stepName: 'steps[1]' },
    ]);
  });

  test('the answer waits for onRequest', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    const held = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const order: string[] = [];
    const model = await scripted(saying('a'), { onRequest: () => held.then(() => void order.push('held')) });
    const answer = chat(model, 'Hi').then(() => order.push('answered'));
    await expect.poll(() => model.requests.length).toBe(1);
    gate.open();
    await answer;
    expect(order).toEqual(['held', 'answered']);
  });

  test('an onRequest that throws, or a record that cannot be written, is a refusal with its reason', async () => {
    const onRequest = () => Promise.reject(new Error('not this one'));
    const response = await chat(await scripted(saying('a'), { onRequest }), 'Hi');
    expect([response.status, (await bodyOf(response)).error.message]).toEqual([400, 'not this one']);
    const unwritable = await chat(await scripted(saying('a'), { record: temporaryDirectory() }), 'Hi');
    expect([unwritable.status, (await bodyOf(unwritable)).error.message]).toEqual([
      400,
      expect.stringContaining('EISDIR'),
    ]);
  });

  test('a client that leaves while onRequest holds its request keeps nothing open', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    const held = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const model = await scripted({ name: 'silence', steps: [{ broken: 'silent' }] }, { onRequest: () => held });
    const giveUp = new AbortController();
    const body = JSON.stringify({ model: 'm', messages: [] });
    const init = { method: 'POST', body, signal: giveUp.signal };
    const left = fetch(`${model.openaiUrl}/chat/completions`, init).catch(() => 'left');
    await expect.poll(() => model.requests.length).toBe(1);
    giveUp.abort();
    expect(await left).toBe('left');
    gate.open();
    await model.close();
    await expect(fetch(model.url)).rejects.toThrow();
  });

  test('reset forgets requests and uses', async () => {
    const model = await scripted(saying('once'));
    expect((await chat(model, 'Hi')).status).toBe(200);
    expect((await chat(model, 'Hi')).status).toBe(400);
    model.reset();
    expect([model.requests, model.unmatched, model.steps]).toEqual([[], [], [{ name: 'steps[0]', count: 0 }]]);
    expect(await textOf(await chat(model, 'Hi'))).toBe('once');
    expect(model.requests.map(({ number }) => number)).toEqual([3]);
  });
});

describe('the server', () => {
  test('lists its model in the shape of both makers', async () => {
    const model = await scripted({ ...saying('x'), model: 'scripted-large' });
    const openai = await (await fetch(`${model.openaiUrl}/models`)).json();
    expect(openai).toMatchObject({ object: 'list', data: [{ id: 'scripted-large', object: 'model' }] });
    const headers = { 'anthropic-version': '2023-06-01' };
    const anthropic = await (await fetch(`${model.anthropicUrl}/models`, { headers })).json();
    expect(anthropic).toMatchObject({ data: [{ id: 'scripted-large', type: 'model' }] });
  });

  test('answers as the model of the scenario, or as the one that was asked for', async () => {
    const named = await scripted({ ...saying('x'), model: 'scripted-large' });
    const unnamed = await scripted(saying('x'));
    expect(await (await chat(named, 'Hi')).json()).toMatchObject({ model: 'scripted-large' });
    expect(await (await chat(unnamed, 'Hi')).json()).toMatchObject({ model: 'm' });
  });

  test('reads a scenario file, YAML or JSON', async () => {
    const directory = temporaryDirectory();
    const yaml = join(directory, 'one.yaml');
    const json = join(directory, 'one.json');
    writeFileSync(yaml, 'name: file\nsteps:\n  - reply: { text: from yaml }\n');
    writeFileSync(json, JSON.stringify({ name: 'file', steps: [{ reply: { text: 'from json' } }] }));
    expect(await textOf(await chat(await scripted(yaml), 'Hi'))).toBe('from yaml');
    expect(await textOf(await chat(await scripted(json), 'Hi'))).toBe('from json');
  });

  test('does not start with a scenario that is wrong, and says all that is', async () => {
    const start = startScriptedModel({ name: 'bad', steps: [{ when: { asks: '(' } }, { reply: { text: 'x' } }] });
    await expect(start).rejects.toThrow(/The scenario is not valid:\n {2}steps\[0\]\.when\.asks: Invalid regular/);
  });

  test('does not start on a port that is taken', async () => {
    const model = await scripted(saying('x'));
    const port = Number(new URL(model.url).port);
    await expect(startScriptedModel(saying('x'), { port })).rejects.toThrow(/EADDRINUSE/);
  });

  test('close ends a silent answer and an idle connection at once, and can be called twice', async () => {
    const model = await startScriptedModel({ name: 'silence', steps: [{ broken: 'silent' }] });
    const ended = chat(model, 'Hi', { stream: true }).then((response) => response.text().catch(() => 'cut'));
    const idle = connect(Number(new URL(model.url).port), '127.0.0.1');
    await once(idle, 'connect');
    idle.on('error', () => undefined);
    const idleEnded = once(idle, 'close');
    await expect.poll(() => model.requests.length).toBe(1);
    await model.close();
    await model.close();
    expect(await ended).toBe('cut');
    await idleEnded;
    await expect(fetch(model.url)).rejects.toThrow();
  });
});
