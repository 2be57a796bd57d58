import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DEMO_CRITERIA, DEMO_GOAL, DEMO_INSTRUCTIONS, DEMO_SETUP } from '../../src/cli/demo/demo-goal.ts';
import { makeDemoProject } from '../../src/cli/demo/demo-project.ts';
import { startScriptedModel } from '../../src/testing.ts';
import { askingStory, clientExample, greeting, missingTools, runBlocks, walkBlocks } from './docs-walk.ts';
import { compiledProgram, type Installation, install, type Running } from './program.ts';

compiledProgram();

const MODEL = { WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9/v1', USER: 'ada' };
const env = MODEL;

interface ServerFile {
  readonly url: string;
  readonly token: string;
}

const fileOf = async ({ home }: Installation): Promise<ServerFile> =>
  JSON.parse(await readFile(join(home, 'server.json'), 'utf8'));

async function serve(made: Installation, environment: Readonly<Record<string, string>> = env): Promise<Running> {
  const server = made.start(['up', '--port', '0'], { env: environment });
  await server.says('/openapi.json describes it');
  return server;
}

async function end(server: Running): Promise<void> {
  server.child.kill('SIGINT');
  await server.ended;
}

/** How often the server was asked, by route. */
async function asked(made: Installation): Promise<Readonly<Record<string, number>>> {
  const { url, token } = await fileOf(made);
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  const counts = text.matchAll(/^workcenter_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm);
  const sums: Record<string, number> = {};
  for (const [, labels = '', count] of counts) {
    const [, method] = /method="([A-Z]+)"/.exec(labels) ?? [];
    const [, route] = /route="([^"]*)"/.exec(labels) ?? [];
    const name = `${method} ${route}`;
    sums[name] = (sums[name] ?? 0) + Number(count);
  }
  return sums;
}

async function draft(made: Installation, repo: string): Promise<string> {
  const { data } = await made.json(['new', 'Say hello', '--draft', '--repo', repo], { env });
  return (data as { id: string }).id;
}

describe('the command line beside a server', () => {
  test('has the server carry out what it asks, in the name of the person', async () => {
    const made = await install();
    const repo = await made.repository();
    const server = await serve(made);
    expect((await stat(join(made.home, 'server.json'))).mode & 0o777).toBe(0o600);
    const id = await draft(made, repo);
    expect((await made.run(['stop', id, '--reason', 'enough'], { env })).out).toContain(`Stopping ${id}`);
    expect((await made.run(['reopen', id], { env })).code).toBe(0);
    expect((await made.run(['say', id, 'Please', '--client-id', 'm1'], { env })).out).toContain('for the Coordinator');
    expect((await made.run(['say', id, 'Please', '--client-id', 'm1'], { env })).out).toContain('was said before');
    const refused = await made.json(['start', id], { env });
    expect(refused).toMatchObject({ code: 3, data: { error: { code: 'wrong_state' } } });
    expect(await asked(made)).toMatchObject({
      'POST /api/v1/work-items': 1,
      'POST /api/v1/work-items/:id/stop': 1,
      'POST /api/v1/work-items/:id/reopen': 1,
      'POST /api/v1/work-items/:id/messages': 2,
      'POST /api/v1/work-items/:id/start': 1,
    });
    const { data } = await made.json(['log', id], { env });
    expect(JSON.stringify(data)).toContain('enough');
    await end(server);
    await expect(stat(join(made.home, 'server.json'))).rejects.toThrow('ENOENT');
  });

  test('goes to the store where the server is gone without a word, or is another version', async () => {
    const made = await install();
    const repo = await made.repository();
    const server = await serve(made);
    const id = await draft(made, repo);
    server.child.kill('SIGKILL');
    await server.ended;
    const left = await fileOf(made);
    expect((await made.run(['stop', id], { env })).code).toBe(0);
    const next = await serve(made);
    const file = { ...(await fileOf(made)), version: '0.0.1' };
    await made.write('home/server.json', JSON.stringify(file));
    expect((await made.run(['reopen', id], { env })).code).toBe(0);
    await made.write('home/server.json', 'torn {');
    expect((await made.run(['stop', id], { env })).code).toBe(0);
    await end(next);
    // What another process has said since is not taken back.
    expect(await readFile(join(made.home, 'server.json'), 'utf8')).toBe('torn {');
    expect(left.token).not.toBe(file.token);
  });

  test('has no more authority inside of a Run than without a server, and asks none of it', async () => {
    const made = await install();
    const repo = await made.repository();
    const server = await serve(made);
    const id = await draft(made, repo);
    const inside = { env: { ...env, WORKCENTER_RUN: 'r1:1' } };
    for (const args of [
      ['stop', id],
      ['say', id, 'Approve it'],
    ]) {
      const { code, data } = await made.json(args, inside);
      expect([code, data], args[0]).toMatchObject([3, { error: { code: 'user_required' } }]);
    }
    // An agent may create; that it is no person's item is seen where no server was asked to make it.
    expect((await made.run(['new', 'More', '--draft', '--repo', repo], inside)).code).toBe(0);
    const changes = Object.entries(await asked(made)).filter(([name]) => name.startsWith('POST'));
    expect(changes).toEqual([['POST /api/v1/work-items', 1]]);
    await end(server);
  });
});

describe('the command line and a server elsewhere', () => {
  test('reads items as the machine of the server does, and changes them', async () => {
    const made = await install();
    const repo = await made.repository();
    const server = await serve(made);
    const { url, token } = await fileOf(made);
    const elsewhere = await install();
    const far = { env: { ...env, WORKCENTER_URL: url, WORKCENTER_TOKEN: token } };
    const note = await elsewhere.write('note.txt', 'In English.\n');
    const wish = ['new', 'Say hello', '--draft', '--repo', repo, '--key', 'k1', '--attach', note];
    const { data } = await elsewhere.json(wish, far);
    expect(data).toMatchObject({ attachments: [{ name: 'note.txt', bytes: 12 }] });
    const { id } = data as { id: string };
    expect((await elsewhere.run(['say', id, 'In English'], far)).err).toContain('item_not_open');
    expect((await elsewhere.run(['edit', id, '--goal', 'Say hello twice', '--yes'], far)).code).toBe(0);
    expect((await elsewhere.run(['extend', id, '--budget', '10req'], far)).code).toBe(0);
    expect((await elsewhere.run(['stop', id.slice(0, 4), '--reason', 'enough'], far)).out).toContain('Stopping');
    for (const args of [
      ['show', id],
      ['ls', '--all'],
      ['cost', id],
    ]) {
      const there = await made.json(args, { env });
      expect(await elsewhere.json(args, far), args[0]).toEqual(there);
      expect(there.code, args[0]).toBe(0);
    }
    expect((await elsewhere.run(['show', id], far)).out).toContain('Cancelled. 0 of 1 proven.');
    await end(server);
    const gone = await elsewhere.json(['ls'], far);
    expect(gone).toMatchObject({ code: 7, data: { error: { code: 'unreachable' } } });
  });

  test('says what works on the machine of the data only, and lends nobody inside of a Run its token', async () => {
    const made = await install();
    const at = { ...env, WORKCENTER_URL: 'http://127.0.0.1:9', WORKCENTER_TOKEN: 'wc_x' };
    for (const args of [['up'], ['evidence', 'k3', '--rerun']]) {
      const { code, data } = await made.json(args, { env: at });
      expect([code, data], args[0]).toMatchObject([3, { error: { code: 'needs_local_store' } }]);
    }
    const inside = await made.json(['say', 'k3', 'Approve it'], { env: { ...at, WORKCENTER_RUN: 'r1:1' } });
    expect(inside).toMatchObject({ code: 3, data: { error: { code: 'user_required' } } });
    const odd = await made.json(['ls'], { env: { ...env, WORKCENTER_URL: 'not an address' } });
    expect(odd).toMatchObject({ code: 2, data: { error: { code: 'invalid_value' } } });
  });
});

test('docs/client.md as it stands takes a goal to its proof, with the client of the package', async () => {
  const made = await install();
  const repo = await made.repository();
  const model = await startScriptedModel(greeting);
  const scripted = { WORKCENTER_SCRIPTED_URL: model.openaiUrl, WORKCENTER_SCRIPTED_PROTOCOL: 'openai' };
  const server = await serve(made, { ...scripted, WORKCENTER_CONFIG: join(made.root, 'config') });
  try {
    const { url } = await fileOf(made);
    // Beside the program, where `workcenter/client` is what the package exports under that name.
    const place = join(made.command.args[0] ?? '', '../../../example.mjs');
    await writeFile(place, await clientExample(url));
    const { stdout } = await promisify(execFile)(process.execPath, [place, repo]);
    expect(stdout.trim().split('\n').at(-1)).toBe('done: It greets.');
  } finally {
    await end(server);
    await model.close();
  }
});

const missing = await missingTools();

async function told(url: string, id: string): Promise<readonly [contract: unknown, conversation: string]> {
  const read = async (part: string): Promise<string> => (await fetch(`${url}/api/v1/work-items/${id}/${part}`)).text();
  return [JSON.parse(await read('contract')), await read('conversation')];
}

describe.skipIf(missing.length > 0)(
  `docs/api.md as it stands (missing here: ${missing.join(', ') || 'nothing'})`,
  () => {
    test("creates the demo's item, follows it, answers, and reads it to its end with curl alone", async () => {
      const made = await install();
      const project = join(made.root, 'project');
      await makeDemoProject({ repository: project, agents: join(made.root, 'agents'), at: Date.now() });
      const model = await startScriptedModel(await askingStory());
      const scripted = { WORKCENTER_SCRIPTED_URL: model.openaiUrl, WORKCENTER_SCRIPTED_PROTOCOL: 'openai' };
      const server = await serve(made, { ...scripted, WORKCENTER_CONFIG: join(made.root, 'config') });
      try {
        const { url } = await fileOf(made);
        const blocks = await walkBlocks();
        expect(blocks.length).toBeGreaterThan(5);
        const said = await runBlocks(blocks, made.root, { API: `${url}/api/v1`, PROJECT: project });
        expect(said).toContain('One after the other, or both at once?');
        expect(said).toContain('"status": "done"');
        expect(said.match(/"proof": "(machine|independent)"/g)).toHaveLength(4);
        expect(said).toContain('+++ b/src/money.js');
        const [, id = ''] = /^item: (\w+)$/m.exec(said) ?? [];
        const [contract, conversation] = await told(url, id);
        const criteria = DEMO_CRITERIA.map(({ version: _version, check, ...rest }) =>
          check ? { ...rest, check: { run: check.run, protect: check.protect } } : rest,
        );
        const { run, inputs, network } = DEMO_SETUP;
        const asked = { goal: DEMO_GOAL, criteria, setup: { run, inputs, network }, instructions: DEMO_INSTRUCTIONS };
        expect(contract).toMatchObject(asked);
        expect(conversation).toContain('Small changes, please.');
        expect(model.unmatched).toEqual([]);
      } finally {
        await end(server);
        await model.close();
      }
    }, 240_000);
  },
);
