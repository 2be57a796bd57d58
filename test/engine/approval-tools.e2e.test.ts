import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentManifest, Attachment, CommandBody, ItemState } from '../../src/core/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { mcpConfigHash } from '../../src/executors/agent/tools/outside/mcp/config.ts';
import { type RecordedRequest, type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { repositoryAt } from '../support/repository.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { agent, call, commission, complete, coordinator, create, decide, submit } from '../support/scripted-agent.ts';
import { checkedBy, type Goal, submitGoal } from '../support/submit-goal.ts';
import { configure, modelSettings, person } from './budget-support.ts';

let rig: Rig;
let model: ScriptedModel | undefined;

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});

afterEach(async () => {
  await model?.close();
  expect(await rig.close()).toBe(0);
});

type Settings = Readonly<Record<string, unknown>>;

async function open(settings: Settings, ...steps: readonly ScriptedStep[]): Promise<World> {
  model = await startScriptedModel({ name: 'tools', steps });
  const world = await rig.world({ pollMs: 20 });
  await configure(world, { ...modelSettings(model.openaiUrl), ...settings });
  return world;
}

/** One Action, that reads where nothing is cloned unless something else is wanted. */
const one = (more: Readonly<Record<string, unknown>> = {}): ScriptedStep =>
  coordinator(
    decide({ decisions: [create(commission('a', { for: ['c1'], workspaceMode: 'read', ...more }))] }),
    decide({ decisions: [complete()] }),
  );

const GOAL: Goal = { goal: 'Find out', contract: { workspace: 'in-place', delivery: { target: 'response' } } };
const known = submit('Now it is known.', { claims: [{ criterion: 'c1', status: 'passed', evidence: 'I looked.' }] });

/** Carries a goal; `whenAsked` answers what a person is asked, once. */
async function carry(world: World, goal: Goal = GOAL, whenAsked?: CommandBody): Promise<ItemState> {
  const item = await submitGoal(world, rig.repo, goal);
  const engine = openEngine(world);
  await engine.start();
  try {
    const first = await engine.untilSettled(item.id);
    if (whenAsked === undefined) return first;
    const said = await world.store.execute({ itemId: item.id, principal: person, body: whenAsked });
    if ('code' in said) throw new Error(`${said.code}: ${said.message}`);
    return await engine.untilSettled(item.id);
  } finally {
    await engine.stop();
  }
}

const expectDone = (state: ItemState): void =>
  expect(state.lifecycle, JSON.stringify([state.hold, state.requests, state.actions.map((a) => a.lastRun)])).toBe(
    'done',
  );

const agentRequests = (): readonly RecordedRequest[] =>
  (model?.requests ?? []).filter(({ tools }) => tools.includes('submit_outcome'));

/** What the tools said, in the last request of the agent. */
const told = (): readonly string[] =>
  (agentRequests().at(-1)?.messages ?? []).flatMap((each) =>
    each.role === 'tool' ? each.results.map(({ text }) => text) : [],
  );

async function manifestOf(world: World, { id }: ItemState): Promise<AgentManifest> {
  const dispatched = (await world.store.events(id)).find(
    ({ body }) => body.type === 'RunDispatched' && body.agent !== undefined,
  )?.body;
  if (dispatched?.type !== 'RunDispatched' || !dispatched.agent) throw new Error('no agent ran');
  return dispatched.agent;
}

async function stored(world: World, name: string, body: Uint8Array, mediaType: string): Promise<Attachment> {
  const { hash, bytes } = await world.store.putContent(body);
  return { name, hash, bytes, mediaType };
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);

describe('a question of an agent', () => {
  it('ends its Run; the next one has the answer and its files, a picture as a picture', async () => {
    const world = await open(
      {},
      one(),
      {
        name: 'after the answer',
        when: { tools: ['submit_outcome'], conversation: /As in the sketch/ },
        reply: ({ turn }) => [call('read', { path: 'attachment:notes.txt' })][turn - 1] ?? known,
      },
      agent(/Make a true/, call('ask_human', { question: 'Which colour?' })),
    );
    const attachments = [
      await stored(world, 'notes.txt', Buffer.from('Paint it blue.\n'), 'text/plain'),
      await stored(world, 'sketch.png', PIXEL, 'image/png'),
    ];
    const answer = { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'As in the sketch.', attachments };
    const state = await carry(world, GOAL, { ...answer } as CommandBody);
    expectDone(state);
    expect(told()[0]).toContain('Paint it blue.');
    const [task] = agentRequests().at(-1)?.messages ?? [];
    expect(task?.role === 'user' ? task.parts.map(({ kind }) => kind) : []).toEqual(['text', 'image']);
    expect(JSON.stringify(task)).toContain(PIXEL.toString('base64'));
    expect(JSON.stringify(agentRequests()[0]?.messages)).not.toContain('sketch.png');
  });

  it('a file that comes with a message is there for the Run that is at work', async () => {
    let world: World | undefined;
    let itemId = '';
    const post = async (): Promise<void> => {
      if (!world) throw new Error('too early');
      const file = await stored(world, 'late.txt', Buffer.from('Better green.\n'), 'text/plain');
      const body = {
        type: 'PostMessage',
        target: { kind: 'action', actionId: 'a' },
        text: 'See this.',
        attachments: [file],
      } as const;
      await world.store.execute({ itemId, principal: person, body });
    };
    world = await open({}, one(), {
      name: 'agent',
      when: { tools: ['submit_outcome'] },
      reply: async ({ turn }) => {
        if (turn === 1) await post();
        return [call('list', {}), call('read', { path: 'attachment:late.txt' })][turn - 1] ?? known;
      },
    });
    const item = await submitGoal(world, rig.repo, GOAL);
    itemId = item.id;
    const engine = openEngine(world);
    await engine.start();
    const state = await engine.untilSettled(item.id);
    await engine.stop();
    expectDone(state);
    expect(state.actions[0]?.runs).toBe(1);
    expect(told()[1]).toContain('Better green.');
  });
});

describe('tools of MCP servers', () => {
  const CONFIG = JSON.stringify({ mcpServers: { local: { command: 'node', args: ['server.mjs'] } } });

  /** The project brings a real server, as one plain file, and the configuration that names it. */
  async function bringServer(): Promise<void> {
    const entry = fileURLToPath(new URL('../agent-tools-outside/mcp-server.ts', import.meta.url));
    const out = await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', write: false });
    const program = `import { createRequire } from 'node:module'; const require = createRequire('/');\n${out.outputFiles[0]?.text}`;
    const repository = repositoryAt(rig.repo);
    await repository.write('server.mjs', program);
    await repository.write('.mcp.json', CONFIG);
    await repository.commit('Bring a server');
  }

  const echo = agent(/Make a true/, call('mcp__local__echo', { words: 'hello' }), known);

  it('of a project that nobody trusts are not offered, and the record says so', async () => {
    await bringServer();
    const world = await open({}, one(), echo);
    const state = await carry(world);
    expectDone(state);
    expect(told()[0]).toContain('There is no tool mcp__local__echo');
    const { tools, omitted } = await manifestOf(world, state);
    expect(tools.filter((name) => name.startsWith('mcp__'))).toEqual([]);
    expect(omitted.join('\n')).toContain('nobody approved it');
  });

  it('of a project that a person trusts as it is act outside: on the ledger, by the rules, as untrusted words', async () => {
    await bringServer();
    const settings = {
      trustedMcp: [mcpConfigHash(rig.repo, CONFIG)],
      permissions: { rules: [{ tool: 'mcp__local__*', decide: 'allow' }] },
    };
    const world = await open(settings, one(), echo);
    const state = await carry(world);
    expectDone(state);
    expect(told()[0]).toMatch(/^<untrusted source="mcp__local__echo">\nyou said hello\n<\/untrusted>$/);
    expect((await manifestOf(world, state)).tools).toContain('mcp__local__echo');
    const ledger = (await world.store.events(state.id)).flatMap(({ body }) =>
      body.type === 'OperationBegun' || body.type === 'OperationResolved' ? [body.type] : [],
    );
    expect(ledger).toEqual(['OperationBegun', 'OperationResolved']);
  });
});

it('a skill of the project is found and loaded', async () => {
  const repository = repositoryAt(rig.repo);
  await repository.write(
    '.workcenter/skills/greet/SKILL.md',
    '---\nname: greet\ndescription: How we greet.\n---\nSay ahoy.\n',
  );
  await repository.commit('Bring a skill');
  const world = await open(
    {},
    one(),
    agent(/Make a true/, call('skill', { action: 'list' }), call('skill', { action: 'load', name: 'greet' }), known),
  );
  expectDone(await carry(world));
  expect(told().slice(0, 2)).toEqual([
    expect.stringContaining('greet: How we greet.'),
    expect.stringContaining('Say ahoy.'),
  ]);
});

describe('fetching pages', () => {
  const fetch = (host: string) => agent(/Make a true/, call('web_fetch', { url: `http://${host}/x` }), known);

  it('is not offered where the Action has no way out and no rule names a URL (T5)', async () => {
    const permissions = { rules: [{ tool: 'web_fetch', decide: 'allow' }] };
    const world = await open({ permissions }, one(), fetch('docs.example.invalid'));
    const state = await carry(world);
    expectDone(state);
    expect(told()[0]).toContain('There is no tool web_fetch.');
    expect((await manifestOf(world, state)).tools).not.toContain('web_fetch');
    expect(agentRequests()[0]?.tools).not.toContain('web_fetch');
    expect(agentRequests()[0]?.system).not.toContain('web_fetch');
  });

  it('is refused where rules name other URLs only', async () => {
    const permissions = { rules: [{ tool: 'web_fetch', url: 'https://other.example.invalid/*', decide: 'allow' }] };
    expectDone(await carry(await open({ permissions }, one(), fetch('docs.example.invalid'))));
    expect(told()[0]).toContain('no way out');
  });

  it('is offered, and tried, where a rule names the URL', async () => {
    const permissions = { rules: [{ tool: 'web_fetch', url: 'http://*.example.invalid/*', decide: 'allow' }] };
    expectDone(await carry(await open({ permissions }, one(), fetch('docs.example.invalid'))));
    expect(agentRequests()[0]?.system).toContain('`web_fetch`');
    expect(told()[0]).not.toContain('no way out');
    expect(told()[0]).toContain('docs.example.invalid');
  });
});

it('an Action of the type create_vp writes a VP that can be assigned once it has landed (D34)', async () => {
  const vp = {
    id: 'scribe',
    name: 'Scribe',
    role: 'Writes everything down.',
    capabilities: ['write'],
    persona: 'You write things down.',
  };
  const more = {
    type: 'create_vp',
    workspaceMode: 'isolated-write',
    vp: ['writer'],
    assignmentReason: 'It writes well.',
  };
  const next = { workspaceMode: 'read', vp: ['scribe'], assignmentReason: 'It was made for this.' };
  const second: ScriptedStep = {
    name: 'second item',
    when: { tools: ['decide'], conversation: /Let the scribe write/ },
    reply: ({ said }) =>
      /"id":"a"/.test(said)
        ? decide({ decisions: [complete()] })
        : decide({ decisions: [create(commission('a', { for: ['c1'], ...next }))] }),
  };
  const scribe: ScriptedStep = {
    name: 'scribe',
    when: { tools: ['submit_outcome'], asks: /You are Scribe/ },
    reply: known,
  };
  const world = await open({}, second, scribe, one(more), agent(/Make a true/, call('create_vp', vp), submit()));
  const made = await carry(world, {
    goal: 'Make a scribe',
    criteria: [checkedBy('c1', 'test -f .workcenter/vps/scribe.md')],
    contract: { delivery: { target: 'merge', branch: 'main' } },
  });
  expectDone(made);
  expect(await readFile(join(rig.repo, '.workcenter', 'vps', 'scribe.md'), 'utf8')).toContain('You write things down.');
  const used = await carry(world, { ...GOAL, goal: 'Let the scribe write' });
  expect(used.actions[0]?.spec.executor).toMatchObject({ kind: 'agent', vp: 'scribe' });
  expect((await manifestOf(world, used)).vp).toBe('scribe');
});
