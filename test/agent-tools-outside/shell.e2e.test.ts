import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ToolContext, ToolOutput } from '../../src/executors/agent/tool.ts';
import type { ShellToolOptions } from '../../src/executors/agent/tools/outside/shell/shell-options.ts';
import { shellTool } from '../../src/executors/agent/tools/outside/shell/shell-tool.ts';
import { bare, because, makePlace, noSandbox, type Place, runTag, SECRET, sandboxed, until, ways } from './support.ts';

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});

interface Asked {
  readonly command: string;
  readonly timeoutSec?: number;
  readonly cwd?: string;
}

function shell(asked: Asked, context: ToolContext, more: Partial<ShellToolOptions> = {}): Promise<ToolOutput> {
  const tool = shellTool({ runTag, ...more });
  return tool.run(tool.input.parse(asked), context);
}

describe.each(ways)('the shell $way', ({ enforcement }) => {
  const context = (more: Partial<ToolContext> = {}) => place.context({ enforcement, ...more });

  test('runs in the project, says what was printed and the exit code, which is no error whatever it is', async () => {
    const output = await shell({ command: 'pwd; echo wrong >&2; exit 3' }, context());
    expect(output).toEqual({ text: expect.stringMatching(/\[exit code 3\]$/) });
    expect(output.text).toContain(join(place.workspace, 'project'));
    expect(output.text).toContain('wrong');
    expect(place.spawned()).toBe(1);
  });

  test('has no input, so that what reads it or asks for a password ends at once', async () => {
    const command =
      'read answer || echo nothing to read; cat; sudo -n -A true 2>&1; git ls-remote https://127.0.0.1:9/x';
    const output = await shell({ command }, context());
    expect(output.text).toContain('nothing to read');
    expect(output.isError).toBeUndefined();
  });

  test('cannot open a terminal to ask a person', async () => {
    const output = await shell({ command: 'read x < /dev/tty && echo asked || echo nobody' }, context());
    expect(output.text).toContain('nobody');
  });

  test('gives the environment of the Action and none of the engine', async () => {
    const output = await shell(
      { command: 'echo "$COLOUR|$SECRET_OF_ENGINE|$WORKCENTER_WORKSPACE"' },
      context({ env: { COLOUR: 'green' } }),
    );
    expect(output.text).toContain(`green||${place.workspace}`);
  });

  test('keeps HOME and TMPDIR for the Run, outside the workspace', async () => {
    await shell({ command: 'echo kept > "$HOME/note"; echo also > "$TMPDIR/note"' }, context());
    const output = await shell({ command: 'cat "$HOME/note" "$TMPDIR/note"' }, context());
    expect(output.text).toContain('kept\nalso');
    expect(await readFile(join(place.root, 'data/run/shell/home/note'), 'utf8')).toBe('kept\n');
  });

  test('ends a server that forked itself away together with the call', async () => {
    const command = `setsid sh -c 'trap "" TERM HUP; sleep 987650 & sleep 987650' >/dev/null 2>&1 & echo started`;
    const output = await shell({ command }, context());
    expect(output.text).toContain('started');
    // `afterEach` finds it if it is still there.
  });

  test('ends what takes too long, whole tree, with its cause and what was printed', async () => {
    const output = await shell({ command: 'echo before; sleep 987651 & sleep 987651', timeoutSec: 1 }, context());
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('[timed_out: ended after 1 s') });
    expect(output.text).toContain('before');
    expect(output.effect).toBeUndefined();
  });

  test('says that the effect is unknown where a time-out ended what could act outside', async () => {
    const given = context({ network: 'all' });
    expect(shellTool({ runTag }).capability({ command: 'x', timeoutSec: 1 }, given)).toBe('acts_outside');
    expect(await shell({ command: 'sleep 987652', timeoutSec: 1 }, given)).toMatchObject({
      isError: true,
      effect: 'unknown',
    });
  });

  test('ends what is silent for too long', async () => {
    const output = await shell({ command: 'echo hello; sleep 987653' }, context(), { silenceSec: 1 });
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('[silent: ') });
  });

  test('rejects when the Run is aborted, and leaves no process', async () => {
    const abort = new AbortController();
    let printed = '';
    const running = shell({ command: 'echo ready; sleep 987654' }, context({ signal: abort.signal }), {
      onOutput: (text) => {
        printed += text;
      },
    });
    await until('the command runs', () => printed.includes('ready'));
    abort.abort(new Error('lease lost'));
    await expect(running).rejects.toThrow('lease lost');
  });

  test('shows both ends of long output and keeps the whole', async () => {
    const command = 'echo first; head -c 600000 /dev/zero | tr "\\0" x; echo; echo last';
    const output = await shell({ command }, context());
    expect(output.text.length).toBeLessThan(32 * 1024);
    expect(output.text).toMatch(/^first\n/);
    expect(output.text).toContain('\nlast\n[exit code 0]');
    const hash = /([0-9a-f]{64})/.exec(output.text)?.[1] ?? '';
    expect(output.kept).toEqual([hash]);
    expect(place.contents.get(hash)).toMatch(/^first\nx{600000}\nlast\n$/);
  });

  test('prints no secret, live, shown or stored', async () => {
    let live = '';
    const output = await shell({ command: `echo ${SECRET}; head -c 300000 /dev/zero | tr "\\0" y` }, context(), {
      onOutput: (text) => {
        live += text;
      },
    });
    expect([live, output.text, ...place.contents.values()].join('')).not.toContain(SECRET);
    expect(output.text).toContain('[redacted]');
  });

  test('starts in a directory of the workspace only', async () => {
    await symlink(place.root, join(place.workspace, 'project', 'out'));
    await writeFile(join(place.workspace, 'file'), '');
    for (const cwd of ['../..', '/etc', 'out', 'missing', '../file'])
      expect(await shell({ command: 'echo ran', cwd }, context())).toMatchObject({ isError: true, effect: 'none' });
    expect(place.spawned()).toBe(0);
    expect((await shell({ command: 'pwd', cwd: '..' }, context())).text).toContain(`${place.workspace}\n`);
  });
});

describe(`the sandbox around the shell${because}`, () => {
  test.skipIf(noSandbox)('lets a reading Action run commands and write nothing', async () => {
    const context = place.context({ mode: 'read' });
    expect(shellTool({ runTag }).capability({ command: 'x', timeoutSec: 1 }, context)).toBe('reads');
    const output = await shell({ command: 'touch made || echo read-only; echo x > "$HOME/own" && echo own' }, context);
    expect(output.text).toContain('read-only');
    expect(output.text).toContain('own');
    await expect(stat(join(place.workspace, 'project', 'made'))).rejects.toThrow();
  });

  test.skipIf(noSandbox)('hides the data of other Runs', async () => {
    await writeFile(join(place.root, 'data/other/secret'), 'x');
    const output = await shell({ command: `cat '${place.root}/data/other/secret' || echo hidden` }, place.context());
    expect(output.text).toContain('hidden');
  });

  test.skipIf(noSandbox)('reaches services of this machine only where the network is open', async () => {
    let calls = 0;
    const server = createServer((socket) => {
      calls += 1;
      socket.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const command = `node -e "require('net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code)).pipe(process.stdout)"`;
    for (const network of ['none', 'loopback'] as const) {
      expect((await shell({ command }, place.context({ network }))).text).not.toContain('hello');
    }
    expect(calls).toBe(0);
    expect((await shell({ command }, place.context({ network: 'all' }))).text).toContain('hello');
    await new Promise((resolve) => server.close(resolve));
  });
});

test('a reading Action without a sandbox gets no shell, and is told what to use instead', async () => {
  const context = place.context({ mode: 'read', enforcement: bare });
  expect(shellTool({ runTag }).capability({ command: 'x', timeoutSec: 1 }, context)).toBe('writes');
  const output = await shell({ command: 'echo ran' }, context);
  expect(output).toMatchObject({ isError: true, effect: 'none', text: expect.stringContaining('Use read, glob') });
  expect(place.spawned()).toBe(0);
});

test('a writing Action writes to its workspace with the shell', async () => {
  const context = place.context({ enforcement: sandboxed });
  expect(shellTool({ runTag }).capability({ command: 'x', timeoutSec: 1 }, context)).toBe('writes');
  await shell({ command: 'echo made > made' }, context);
  expect(await readFile(join(place.workspace, 'project', 'made'), 'utf8')).toBe('made\n');
});
