import { accessSync, constants } from 'node:fs';
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { killTagged } from '../../../src/workspace/process/tagged-processes.ts';
import type { SandboxPolicy } from '../../../src/workspace/sandbox/policy.ts';
import { probeSandbox } from '../../../src/workspace/sandbox/probe-sandbox.ts';
import { bare, because, finish, makePlace, noSandbox, type Place, RUN_ID, sandboxed } from '../process/support.ts';

const runtimeDirectory = ['/run', `/run/user/${process.getuid?.()}`].find(isWritable);

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(async () => {
  const leaked = await killTagged({ runId: RUN_ID });
  await place.remove();
  expect(leaked.killed).toEqual([]);
});

const run = (script: string, change: Partial<SandboxPolicy> = {}, env: Record<string, string> = {}) =>
  finish(place, {
    argv: ['sh', '-c', script],
    enforcement: sandboxed,
    policy: { ...place.policy, ...change },
    env: { ...place.env, ...env },
  });

describe.skipIf(noSandbox)(`in the sandbox${because}`, () => {
  test('the workspace is writable, and the host sees what was written', async () => {
    expect(await run('echo new > file && mkdir -p a/b')).toMatchObject({ exitCode: 0 });
    expect(await readFile(join(place.workspace, 'file'), 'utf8')).toBe('new\n');
  });

  test('a workspace in read mode refuses writes as a read-only file system', async () => {
    await writeFile(join(place.workspace, 'file'), 'old\n');
    const result = await run('cat file; echo new > file', { mode: 'read' });
    expect(result.text).toContain('old\n');
    expect(result.text).toContain('Read-only file system');
    expect(result.exitCode).not.toBe(0);
  });

  test('the system is read-only', async () => {
    const result = await run('echo x > /etc/workcenter-test || mount -o remount,rw / || umount /tmp');
    expect(result.text).toContain('Read-only file system');
    expect(result.exitCode).not.toBe(0);
    expect(await exists('/etc/workcenter-test')).toBe(false);
  });

  test('the data directory, sibling workspaces, the home directory and named files are out of sight', async () => {
    const secrets = ['data/store.db', 'data/workspaces/sibling/file', 'user/.netrc', 'token'];
    for (const name of secrets) await writeFile(join(place.root, name), 'canary\n');
    const script = secrets.map((name) => `cat '${join(place.root, name)}'`).join('; ');
    const control = await finish(place, { argv: ['sh', '-c', script], enforcement: bare });
    expect(control.text.match(/canary/g)).toHaveLength(4);
    const result = await run(script, { hidden: [join(place.root, 'data'), join(place.root, 'token')] });
    expect(result.text).not.toContain('canary');
    const write = await run(`echo lost > '${join(place.root, 'user', 'note')}'`);
    expect(write.exitCode).not.toBe(0);
  });

  test('home and temporary directory are private and writable, /tmp is the private one', async () => {
    expect(await run('echo 1 > "$HOME/h" && echo 2 > "$TMPDIR/t" && echo 3 > /tmp/u')).toMatchObject({ exitCode: 0 });
    expect(await exists(join(place.root, 'home', 'h'))).toBe(true);
    expect(await exists(join(place.root, 'temp', 'u'))).toBe(true);
    expect(await exists('/tmp/u')).toBe(false);
  });

  test('a readable directory inside a writable workspace stays read-only, a missing one is no error', async () => {
    const git = join(place.workspace, '.git');
    await mkdir(git);
    const change = { readable: [git, join(place.root, 'missing')], writable: [join(place.root, 'missing-too')] };
    expect((await run('echo x > .git/config', change)).text).toContain('Read-only file system');
    expect(await run('echo x > file', change)).toMatchObject({ exitCode: 0 });
  });

  test('a link planted in the workspace does not uncover its target', async () => {
    await writeFile(join(place.root, 'user', 'key'), 'canary\n');
    const link = join(place.workspace, '.git');
    await symlink(join(place.root, 'user'), link);
    expect((await run('cat .git/key', { readable: [link] })).text).not.toContain('canary');
  });

  test('tool directories in the hidden home work, and nothing beside them', async () => {
    const bin = join(place.root, 'user', 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'tool'), '#!/bin/sh\necho tool works\n', { mode: 0o755 });
    await writeFile(join(place.root, 'user', 'key'), 'canary\n');
    const script = `tool; cat '${join(place.root, 'user', 'key')}'; touch '${bin}/new'`;
    const result = await run(script, { toolPaths: [bin] }, { PATH: `${bin}:/usr/bin:/bin` });
    expect(result.text).toContain('tool works');
    expect(result.text).not.toContain('canary');
    expect(await exists(join(bin, 'new'))).toBe(false);
  });

  test('a variable of the dynamic loader is set inside and never for the program outside', async () => {
    let outside = '';
    const result = await finish(place, {
      argv: ['sh', '-c', 'echo "inside=$LD_PRELOAD"'],
      enforcement: sandboxed,
      env: { ...place.env, LD_PRELOAD: '/missing/evil.so' },
      onSpawned: async ({ pid }) => {
        outside = await readFile(`/proc/${pid}/environ`, 'utf8');
      },
    });
    expect(result.text).toContain('inside=/missing/evil.so');
    expect(outside).toContain('WORKCENTER_RUN=');
    expect(outside).not.toContain('evil.so');
  });

  test('no process of the host can be seen', async () => {
    expect((await run('ls /proc | grep -c "^[0-9]"')).text.trim().length).toBeLessThanOrEqual(2);
    expect((await run(`kill -0 ${process.pid} && echo seen`)).text).not.toContain('seen');
  });

  test.skipIf(runtimeDirectory === undefined)(
    'no control socket under /run can be reached (skipped where this user may not make one)',
    async () => {
      const socket = join(runtimeDirectory ?? '', `workcenter-test-${process.pid}.sock`);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      const find = { argv: ['sh', '-c', `[ -S '${socket}' ] && echo seen`] };
      const bareResult = await finish(place, { ...find, enforcement: bare });
      const result = await finish(place, { ...find, enforcement: sandboxed });
      await new Promise<void>((resolve) => server.close(() => resolve()));
      expect([bareResult.text, result.text]).toEqual(['seen\n', '']);
    },
  );
});

describe.skipIf(noSandbox)(`the network of a sandbox${because}`, () => {
  let server: Server;
  let port: number;
  beforeEach(async () => {
    server = createServer((socket) => socket.end('host'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const node = (script: string, network: SandboxPolicy['network']) =>
    finish(place, {
      argv: [process.execPath, '-e', script],
      enforcement: sandboxed,
      policy: { ...place.policy, network },
    });
  const toHost = () =>
    `require('net').connect(${port}, '127.0.0.1').on('data', d => console.log('reached ' + d)).on('error', e => console.log(e.code))`;
  const toSelf = `const s = require('net').createServer(c => c.end('self')).on('error', e => console.log(e.code));
    s.listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1')
      .on('data', d => { console.log('reached ' + d); s.close(); }))`;

  test('"all" reaches the host', async () => {
    expect((await node(toHost(), 'all')).text).toBe('reached host\n');
  });

  test('"loopback" reaches its own servers and nothing of the host', async () => {
    expect((await node(toHost(), 'loopback')).text).toBe('ECONNREFUSED\n');
    expect((await node(toSelf, 'loopback')).text).toBe('reached self\n');
  });

  test.skipIf(sandboxed.socketFilter !== true)('"none" opens no internet socket, but local ones', async () => {
    expect((await node(toSelf, 'none')).text).toBe('EAFNOSUPPORT\n');
    expect((await node(toHost(), 'none')).text).not.toContain('reached');
    const local = `const s = require('net').createServer(c => c.end('local'));
      s.listen('/tmp/s', () => require('net').connect('/tmp/s').on('data', d => { console.log('' + d); s.close(); }))`;
    expect((await node(local, 'none')).text).toBe('local\n');
  });
});

describe('the probe', () => {
  test('says that nothing is enforced where the sandbox is off or missing, and why', async () => {
    const off = await probeSandbox({ disabled: true });
    expect(off).toMatchObject({ sandbox: 'none', filesystem: false, network: false, processes: false });
    const missing = await probeSandbox({ program: '/missing/bwrap' });
    expect(missing.reason).toContain('not installed');
  });

  test('does not trust a program that only claims to be a sandbox', async () => {
    const impostor = join(place.root, 'impostor');
    await writeFile(impostor, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', { mode: 0o755 });
    const found = await probeSandbox({ program: impostor });
    expect(found).toMatchObject({ filesystem: false, network: false, processes: false });
    expect(found.reason).toContain('read-hidden');
  });

  test('reports a sandbox that does not start as none, with its complaint', async () => {
    const broken = join(place.root, 'broken');
    await writeFile(broken, '#!/bin/sh\necho "no user namespaces" >&2; exit 1\n', { mode: 0o755 });
    const found = await probeSandbox({ program: broken });
    expect(found.sandbox).toBe('none');
    expect(found.reason).toContain('no user namespaces');
  });

  test('is made once for the same options', () => {
    expect(probeSandbox()).toBe(probeSandbox({}));
  });
});

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
