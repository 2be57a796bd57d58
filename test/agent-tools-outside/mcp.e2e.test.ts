import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentTool, ToolContext } from '../../src/executors/agent/tool.ts';
import { mcpConfigHash } from '../../src/executors/agent/tools/outside/mcp/config.ts';
import { loadMcpTools, type McpTools } from '../../src/executors/agent/tools/outside/mcp/load-mcp-tools.ts';
import { mcpToolName } from '../../src/executors/agent/tools/outside/mcp/mcp-tool.ts';
import type { StartOptions } from '../../src/executors/agent/tools/outside/mcp/open-server.ts';
import { findTagged } from '../../src/workspace/process/tagged-processes.ts';
import { makePlace, type Place, runTag, until, ways } from './support.ts';

const TOKEN = 'tok-of-the-server-91';
let program: string;
let place: Place;
const opened: McpTools[] = [];

/** One plain file: no package lies beside it where it runs. */
beforeAll(async () => {
  const entry = fileURLToPath(new URL('./mcp-server.ts', import.meta.url));
  const out = await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', write: false });
  program = `import { createRequire } from 'node:module'; const require = createRequire('/');\n${out.outputFiles[0]?.text}`;
});
beforeEach(async () => {
  place = await makePlace();
  await writeFile(join(place.workspace, 'server.mjs'), program);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tools) => tools.close()));
});

interface Loading {
  /** The person's own file. */
  readonly user?: Record<string, unknown>;
  readonly trusted?: ReadonlySet<string>;
  readonly options?: Partial<StartOptions>;
}

async function load({ user, trusted = new Set(), options }: Loading, context: ToolContext): Promise<McpTools> {
  const userFile = join(place.root, 'user-mcp.json');
  if (user !== undefined) await writeFile(userFile, JSON.stringify({ mcpServers: user }));
  const sources = { projectDirectory: '/the/project', userFile, trusted };
  const tools = await loadMcpTools(sources, context, { runTag, ...options });
  opened.push(tools);
  return tools;
}

const local = (more: Record<string, unknown> = {}, ...args: string[]) => ({
  command: 'node',
  args: [join(place.workspace, 'server.mjs'), ...args],
  ...more,
});

function toolNamed(tools: McpTools, name: string): AgentTool {
  const found = tools.tools.find((tool) => tool.name === `mcp__local__${name}`);
  if (found === undefined) throw new Error(`no tool ${name}: ${JSON.stringify(tools.notes)}`);
  return found;
}

const hasEnded = (runId: string) => async () => (await findTagged({ runId })).length === 0;

describe.each(ways)('a server on standard input and output, $way,', ({ enforcement }) => {
  const context = (more: Partial<ToolContext> = {}) => place.context({ enforcement, ...more });
  const loadLocal = (
    more: Record<string, unknown> = {},
    options: Partial<StartOptions> = {},
    run: Partial<ToolContext> = {},
  ) => load({ user: { local: local(more) }, options }, context(run));

  test('offers its tools with their own schema, is recorded, and is gone when it is closed', async () => {
    const tools = await loadLocal();
    const echo = toolNamed(tools, 'echo');
    expect(echo).toMatchObject({ description: '(MCP server local) Says it again.' });
    expect(echo.inputSchema).toMatchObject({ type: 'object', required: ['words'] });
    expect(echo.capability({}, context())).toBe('acts_outside');
    expect(await echo.run({ words: 'hello' }, context())).toEqual({ text: 'you said hello', foreign: true });
    expect(place.spawned()).toBe(1);
    expect(tools.notes).toEqual([expect.objectContaining({ state: 'started', name: 'local' })]);
    await tools.close();
    expect(await hasEnded(runTag.split(':')[0] ?? '')()).toBe(true);
    expect(await readdir(join(place.root, 'data/run/mcp/local/home'))).toEqual([]);
    expect(await echo.run({ words: 'x' }, context())).toMatchObject({ isError: true, effect: 'none' });
  });

  test('says the same to several calls at once', async () => {
    const echo = toolNamed(await loadLocal(), 'echo');
    const answers = await Promise.all(['a', 'b', 'c'].map((words) => echo.run({ words }, context())));
    expect(answers.map(({ text }) => text)).toEqual(['you said a', 'you said b', 'you said c']);
  });

  test('sees its own environment and none of the engine', async () => {
    const tools = await loadLocal({ env: { MY_TOKEN: TOKEN, FROM: `$\{LANG}-$\{NOT_SET:-default}` } });
    const { text } = await toolNamed(tools, 'environment').run({}, context());
    expect(text).toContain('"FROM":"C.UTF-8-default"');
    expect(text).not.toContain('SECRET_OF_ENGINE');
    expect(text).not.toContain(TOKEN);
  });

  test('is asked nothing that does not fit its schema', async () => {
    const output = await toolNamed(await loadLocal(), 'echo').run({ words: 7 }, context());
    expect(output).toMatchObject({ isError: true, effect: 'none', text: expect.stringContaining('do not fit') });
  });

  test('leaves the effect unknown where it refuses, hangs or dies', async () => {
    const tools = await loadLocal({}, { callTimeoutMs: 300 });
    const refused = await toolNamed(tools, 'refuse').run({}, context());
    expect(refused).toEqual({ text: 'no such thing', foreign: true, isError: true, effect: 'unknown' });
    expect(await toolNamed(tools, 'hang').run({}, context())).toMatchObject({ isError: true, effect: 'unknown' });
    expect(await toolNamed(tools, 'die').run({}, context())).toMatchObject({ isError: true, effect: 'unknown' });
    await until('the server has ended', hasEnded(runTag.split(':')[0] ?? ''));
    expect(await toolNamed(tools, 'echo').run({ words: 'x' }, context())).toMatchObject({
      isError: true,
      effect: 'none',
    });
  });

  test('hands over pictures that can be shown, and cuts what is too long', async () => {
    const tools = await loadLocal();
    expect(await toolNamed(tools, 'picture').run({}, context())).toEqual({
      text: '[an image (image/tiff) that cannot be shown]',
      images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
      foreign: true,
    });
    expect((await toolNamed(tools, 'flood').run({}, context())).text).toHaveLength(1024 * 1024 + '\n[… cut …]'.length);
  });

  test('that is not ready in time, or ends, or does not exist is told about and leaves nothing', async () => {
    const user = {
      never: local({ env: { MY_TOKEN: TOKEN } }, 'never'),
      exits: local({ env: { MY_TOKEN: TOKEN } }, 'exit'),
      missing: { command: 'no-such-program-here' },
    };
    const { tools, notes } = await load({ user, options: { startupMs: 1_500 } }, context());
    expect(tools).toEqual([]);
    expect(notes.map(({ state, name }) => [state, name])).toEqual([
      ['failed', 'never'],
      ['failed', 'exits'],
      ['failed', 'missing'],
    ]);
    expect(notes[1]?.message).toContain('a word of complaint with [redacted]');
    expect(await hasEnded(runTag.split(':')[0] ?? '')()).toBe(true);
  });

  test('ends with the Run', async () => {
    const abort = new AbortController();
    const tools = await loadLocal({}, {}, { signal: abort.signal });
    const hanging = toolNamed(tools, 'hang').run({}, context({ signal: abort.signal }));
    abort.abort(new Error('lease lost'));
    await expect(hanging).rejects.toThrow('lease lost');
    await until('the server has ended', hasEnded(runTag.split(':')[0] ?? ''));
  });

  test('does not start in a Run that has ended', async () => {
    const run = { signal: AbortSignal.abort(new Error('lease lost')) };
    await expect(loadLocal({}, {}, run)).rejects.toThrow('lease lost');
  });
});

describe('a server is sandboxed', () => {
  test.skipIf(ways.length < 2)('and writes nothing for a reading Action (needs bubblewrap)', async () => {
    const context = place.context({ mode: 'read' });
    const tools = await load({ user: { local: local() } }, context);
    const path = join(place.workspace, 'made');
    expect(await toolNamed(tools, 'write').run({ path }, context)).toMatchObject({ isError: true });
    await expect(stat(path)).rejects.toThrow();
  });

  test.skipIf(ways.length < 2)(
    'and sees beyond the workspace what the file of the person opens (needs bubblewrap)',
    async () => {
      await mkdir(join(place.root, 'user', 'opened'));
      const opened = local({ writable: [join(place.root, 'user', 'opened')] });
      const path = join(place.root, 'user', 'opened', 'made');
      for (const [server, error] of [
        [local(), true],
        [opened, undefined],
      ] as const) {
        const tools = await load({ user: { local: server } }, place.context());
        expect((await toolNamed(tools, 'write').run({ path }, place.context())).isError).toBe(error);
      }
    },
  );

  test('and writes to the workspace of a writing one', async () => {
    const tools = await load({ user: { local: local() } }, place.context());
    const path = join(place.workspace, 'made');
    expect(await toolNamed(tools, 'write').run({ path }, place.context())).toEqual({ text: 'done', foreign: true });
    expect(await readFile(path, 'utf8')).toBe('written');
  });
});

describe('T18: the hint that a tool only reads', () => {
  test('is believed of a server that the person trusts with it', async () => {
    const tools = await load({ user: { local: local({ trustReadOnly: true }) } }, place.context());
    expect(toolNamed(tools, 'echo').capability({}, place.context())).toBe('reads');
    expect(toolNamed(tools, 'refuse').capability({}, place.context())).toBe('acts_outside');
  });

  test('is not believed because the project says so', async () => {
    const text = JSON.stringify({ mcpServers: { local: local({ trustReadOnly: true }) } });
    await writeFile(join(place.workspace, '.mcp.json'), text);
    const trusted = new Set([mcpConfigHash('/the/project', text)]);
    const tools = await load({ trusted }, place.context());
    expect(toolNamed(tools, 'echo').capability({}, place.context())).toBe('acts_outside');
  });
});

describe('T19: a configuration of the project', () => {
  const text = () => JSON.stringify({ mcpServers: { local: local() } });

  test('starts nothing until a person has approved it, and says what to approve', async () => {
    await writeFile(join(place.workspace, '.mcp.json'), text());
    const { tools, notes } = await load({}, place.context());
    expect(tools).toEqual([]);
    expect(place.spawned()).toBe(0);
    expect(notes).toEqual([expect.objectContaining({ state: 'untrusted', name: '.mcp.json' })]);
    expect(notes[0]?.hash).toBe(mcpConfigHash('/the/project', text()));
    expect(toolNamed(await load({ trusted: new Set([notes[0]?.hash ?? '']) }, place.context()), 'echo')).toBeDefined();
  });

  test('loses its approval with the first changed letter, and in another project', async () => {
    await writeFile(join(place.workspace, '.mcp.json'), `${text()} `);
    const trusted = new Set([mcpConfigHash('/the/project', text()), mcpConfigHash('/another', `${text()} `)]);
    expect((await load({ trusted }, place.context())).notes).toEqual([expect.objectContaining({ state: 'untrusted' })]);
  });

  test('is not read through a link that leaves the workspace', async () => {
    await writeFile(join(place.root, 'elsewhere.json'), text());
    await symlink(join(place.root, 'elsewhere.json'), join(place.workspace, '.mcp.json'));
    expect((await load({}, place.context())).notes).toEqual([]);
  });

  test('takes the place of a server of the same name, and that is told', async () => {
    await mkdir(join(place.workspace, '.workcenter'));
    await writeFile(join(place.workspace, '.workcenter', 'mcp.json'), text());
    const trusted = new Set([mcpConfigHash('/the/project', text())]);
    const { notes } = await load({ user: { local: { command: 'no-such-program-here' } }, trusted }, place.context());
    expect(notes.map(({ state, name }) => [state, name])).toEqual([
      ['replaced', 'local'],
      ['started', 'local'],
    ]);
  });

  test('that is broken is told about', async () => {
    const { notes } = await load({ user: { a: { args: [] }, b: { url: 7 }, c: 'x' } }, place.context());
    expect(notes.map(({ state, name }) => [state, name])).toEqual(['a', 'b', 'c'].map((name) => ['unusable', name]));
    await writeFile(join(place.root, 'user-mcp.json'), '{"mcpServers": ');
    expect((await load({}, place.context())).notes).toEqual([expect.objectContaining({ state: 'unusable' })]);
  });
});

describe('a server over HTTP', () => {
  async function withHttpServer(use: (url: string, seen: string[]) => Promise<void>): Promise<void> {
    const seen: string[] = [];
    const web = createServer(async (request, response) => {
      seen.push(String(request.headers.authorization));
      const mcp = new McpServer({ name: 'web', version: '1' });
      mcp.registerTool('hello', {}, () => ({
        content: [{ type: 'text', text: `auth ${request.headers.authorization}` }],
      }));
      const transport = new StreamableHTTPServerTransport({});
      response.on('close', () => void transport.close());
      await mcp.connect(transport);
      await transport.handleRequest(request, response);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    try {
      await use(`http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`, seen);
    } finally {
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
    }
  }

  test('is called with the headers of its configuration, which no answer shows', async () => {
    await withHttpServer(async (url, seen) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const tools = await load(
        { user: { local: { type: 'http', url, headers } } },
        place.context({ network: 'loopback' }),
      );
      const output = await toolNamed(tools, 'hello').run({}, place.context());
      expect(output).toMatchObject({ text: 'auth [redacted]', foreign: true });
      expect(new Set(seen)).toEqual(new Set([`Bearer ${TOKEN}`]));
      await tools.close();
    });
  });

  test('is not reached by an Action that has no network, unless its own entry says so', async () => {
    await withHttpServer(async (url, seen) => {
      const { notes } = await load({ user: { local: { url } } }, place.context({ network: 'none' }));
      expect(notes).toEqual([expect.objectContaining({ state: 'failed' })]);
      expect(seen).toEqual([]);
      const tools = await load({ user: { local: { url, network: 'all' } } }, place.context({ network: 'none' }));
      expect(toolNamed(tools, 'hello')).toBeDefined();
    });
  });

  test('that is not there is told about', async () => {
    const { notes } = await load(
      { user: { local: { url: 'http://127.0.0.1:9/mcp' } } },
      place.context({ network: 'all' }),
    );
    expect(notes).toEqual([expect.objectContaining({ state: 'failed' })]);
  });
});

describe('the name of a tool', () => {
  test('holds 64 characters at most, and two that are cut stay different', () => {
    expect(mcpToolName('git.hub', 'create issue')).toBe('mcp__git_hub__create_issue');
    const long = ['a', 'b'].map((end) => mcpToolName('server', `${'x'.repeat(100)}${end}`));
    expect(long.map((name) => name.length)).toEqual([64, 64]);
    expect(long[0]).not.toBe(long[1]);
  });
});
