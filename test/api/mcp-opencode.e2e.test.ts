import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OPENCODE } from '../../scripts/agents/opencode.ts';
import { addToken } from '../../src/api/access/token-records.ts';
import { type ServedApi, serveApi } from '../../src/api/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { openRig, type Rig } from '../support/rig.ts';
import {
  agent,
  call,
  commission,
  complete,
  coordinator,
  create,
  decide,
  submit,
  write,
} from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const STDIO_SERVER = await compiledScript(new URL('./mcp-process.ts', import.meta.url));
const CHECK = 'grep -qi hello hello.txt';

/** Two programs start, and one of them compiles itself. */
const HANG_GUARD_MS = 180_000;

let rig: Rig;
let world: World;
let api: ServedApi;
let model: ScriptedModel;
let opencode: ChildProcess | undefined;

beforeEach(async () => {
  rig = await openRig({ 'README.md': 'A project.\n' });
});
afterEach(async () => {
  if (opencode?.exitCode === null) opencode.kill('SIGKILL');
  await api?.close();
  await model?.close();
  expect(await rig.close()).toBe(0);
});

/** What the model of OpenCode says: it hands the goal over, waits, and looks at the proof. */
const handsOver = (directory: string): readonly ScriptedStep[] => {
  const when = (turn: number) => ({ tools: ['stdio_create_item'], turn });
  const created = { id: '{{$.messages[-1].results[0].text.id}}', timeoutSec: 40 };
  const waited = { id: '{{$.messages[-1].results[0].text.item.id}}', criterion: 'c1' };
  const wish = { goal: 'Write hello.txt that greets', criteria: [{ text: 'It greets', check: CHECK }], directory };
  return [
    { name: 'names the session', when: { asks: /title generator/ }, reply: { text: 'A greeting' } },
    { name: 'creates', when: when(1), reply: call('stdio_create_item', wish) },
    { name: 'waits', when: when(2), reply: call('stdio_wait_for_item', created) },
    { name: 'reads the proof', when: when(3), reply: call('http_read_evidence', waited) },
    { name: 'reports', when: { ...when(4), says: /"verdict":"passed"/ }, reply: { text: 'It is proven.' } },
  ];
};

/** What Work Center's own models say. */
const carriesOut: readonly ScriptedStep[] = [
  coordinator(
    decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
    decide({ decisions: [complete('It greets.')] }),
  ),
  agent(/Make a true/, write('hello.txt', 'Hello!\n'), submit('Wrote hello.txt.')),
];

/** One MCP server for each transport, and a model that is ours; nothing else on any network. */
async function configuration() {
  const wanted = { name: 'opencode', authority: 'agent', scopes: ['read' as const], expiresAt: null } as const;
  const { minted } = await addToken(world.store, { ...wanted, scopes: ['read'] }, Date.now());
  const options = { baseURL: model.openaiUrl, apiKey: 'none' };
  return {
    ...{ autoupdate: false, share: 'disabled', snapshot: false, enabled_providers: ['scripted'] },
    ...{ model: 'scripted/m', small_model: 'scripted/m' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options,
        models: { m: { limit: { context: 100_000, output: 4_000 } } },
      },
    },
    mcp: {
      stdio: { type: 'local', command: [process.execPath, STDIO_SERVER, rig.root, 'user'], timeout: 30_000 },
      http: {
        type: 'remote',
        url: `${api.url}/mcp`,
        headers: { Authorization: `Bearer ${minted.token}` },
        oauth: false,
      },
    },
  };
}

/** Runs OpenCode with a home of its own, until it has nothing more to say. */
async function runOpenCode(prompt: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const home = join(rig.root, 'opencode');
  await mkdir(home);
  await writeFile(join(home, 'opencode.json'), JSON.stringify(await configuration()));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: home, OPENCODE_CONFIG: join(home, 'opencode.json') },
    ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' },
  };
  const args = ['run', '--pure', '--auto', '--format', 'json', '--dir', rig.repo, prompt];
  const child = spawn(OPENCODE.program, args, { env, cwd: rig.repo, stdio: ['ignore', 'pipe', 'inherit'] });
  opencode = child;
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = await text(child.stdout);
  return { code: await exited, said };
}

const missing = existsSync(OPENCODE.program)
  ? ''
  : ' (skipped: OpenCode is not installed; npm run test:agents does it)';

it.skipIf(missing !== '')(
  `OpenCode hands a goal over stdio, waits for its end and reads the proof over HTTP${missing}`,
  async () => {
    model = await startScriptedModel({ name: 'opencode', steps: [...handsOver(rig.repo), ...carriesOut] });
    const env = { WORKCENTER_SCRIPTED_URL: model.openaiUrl, WORKCENTER_SCRIPTED_PROTOCOL: 'openai' };
    world = await rig.world({ env });
    api = await serveApi({ store: world.store, version: 'test', port: 0 });
    const engine = openEngine(world);
    await engine.start();
    const { code, said } = await runOpenCode('Have hello.txt written.').finally(() => engine.stop());
    expect(code).toBe(0);
    expect(said).toContain('It is proven.');
    expect(model.unmatched).toEqual([]);
    const told = model.requests.filter(({ stepName }) => stepName === 'reports').map(({ said: heard }) => heard);
    expect(told).toEqual([expect.stringContaining(`"command":"${CHECK}"`)]);
    const waited = model.requests.find(({ stepName }) => stepName === 'reads the proof');
    expect(waited?.said).toContain('"ended":"done"');
    const [item] = (await world.store.list({ limit: 10 })).items;
    expect(await world.store.load(item?.id ?? '')).toMatchObject({ lifecycle: 'done', origin: { client: 'opencode' } });
    await until('the server that OpenCode started has ended', () => existsSync(join(rig.root, 'ended')));
    expect(await readFile(join(rig.root, 'ended'), 'utf8')).toBe('in good order');
  },
  HANG_GUARD_MS,
);
