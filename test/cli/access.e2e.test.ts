import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printOf } from '../../src/api/access/token.ts';
import { addToken } from '../../src/api/access/token-records.ts';
import { token } from '../../src/cli/commands/token.ts';
import { up } from '../../src/cli/commands/up.ts';
import { httpPlan } from '../../src/cli/http-server.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { appOn, SHELL } from './support.ts';

let root = '';
let now = 1_800_000_000_000;
const told: string[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'wc-access-'));
  told.length = 0;
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('workcenter token', () => {
  const run = async (args: readonly string[], options: Readonly<Record<string, unknown>> = {}) => {
    const env = { WORKCENTER_HOME: root };
    const shell = { ...SHELL, env, columns: 120, now: () => now, err: (text: string) => void told.push(text) };
    return token.run(shell, { args, options });
  };

  it('prints a token once and keeps it nowhere', async () => {
    const made = await run(['add', 'phone'], { scope: ['operate', 'create'], expires: '30d' });
    const text = made.type === 'answer' ? made.text : '';
    const id = printOf(text)?.id;
    expect(made).toMatchObject({
      exit: 0,
      json: { id, token: text, scopes: ['create', 'operate'], authority: 'user' },
    });
    expect(told.join()).toContain(`Token ${id} (create, operate; what it says counts as your word)`);
    expect(told.join()).not.toContain(text);
    const listed = await run([]);
    expect(listed).toMatchObject({
      text: expect.stringMatching(new RegExp(`${id} +phone +create,operate +user +until 2027-02-14 +never`)),
      json: { tokens: [{ id, state: 'valid', expiresAt: '2027-02-14T08:00:00.000Z', lastUsedAt: null }] },
    });
    const files = await Promise.all(['workcenter.db', 'workcenter.db-wal'].map((name) => readSome(join(root, name))));
    expect(JSON.stringify([listed, files])).not.toContain(text.slice(-43));
    now += 30 * 86_400_000;
    expect(await run(['ls'])).toMatchObject({ json: { tokens: [{ state: 'expired' }] } });
  });

  it('reads only unless more is said, and carries no authority for an agent', async () => {
    const made = await run(['add', 'robot'], { agent: true });
    expect(made).toMatchObject({ json: { scopes: ['read'], authority: 'agent', expiresAt: null } });
    expect(told.join()).toContain('it speaks for an agent, never for you');
  });

  it('revokes by name or id, and gives the name free', async () => {
    const first = await run(['add', 'phone']);
    expect(await run(['add', 'phone'])).toMatchObject({ exit: 3, code: 'token_name_taken' });
    expect(await run(['revoke', 'phone'])).toMatchObject({ exit: 0, json: { state: 'revoked' } });
    const second = await run(['add', 'phone']);
    const idOf = (made: typeof first) => (made.type === 'answer' ? (made.json as { readonly id: string }).id : '');
    expect(await run(['revoke', 'phone'])).toMatchObject({ json: { id: idOf(second) } });
    expect(await run(['revoke', idOf(first)])).toMatchObject({ exit: 0, json: { id: idOf(first) } });
    expect(await run(['revoke', 'nobody'])).toMatchObject({ exit: 4, code: 'token_not_found' });
  });

  it.each([
    [['add'], {}, 'invalid_value'],
    [['add', 'two\nlines'], {}, 'invalid_value'],
    [['add', 'x'.repeat(65)], {}, 'invalid_value'],
    [['add', 'x'], { scope: ['write'] }, 'invalid_value'],
    [['add', 'x'], { scope: ['read,root'] }, 'invalid_value'],
    [['add', 'x'], { expires: 'soon' }, 'invalid_option'],
    [['add', 'x'], { expires: '4000d' }, 'invalid_value'],
    [['rotate'], {}, 'usage'],
  ])('refuses %j %j and makes nothing', async (args, options, code) => {
    expect(await run(args, options)).toMatchObject({ type: 'failure', exit: 2, code });
    expect(await run(['ls'])).toMatchObject({ json: { tokens: [] } });
  });

  it('is a matter for a person, like whoever lets others in', () => {
    expect([token.userOnly, up.userOnly]).toEqual([true, true]);
  });
});

const readSome = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

describe('workcenter up', () => {
  const app = appOn(openMemoryStore(), { now: () => now, err: (text) => void told.push(text) });
  const plan = (options: Readonly<Record<string, unknown>>) => httpPlan(app, { args: [], options });
  const file = () => join(root, 'token');

  it('asks for no token on this machine, and starts nowhere else without one', async () => {
    expect(await plan({})).toMatchObject({ port: 7420, place: { reach: 'loopback' }, requireToken: false });
    const closed = { type: 'failure', exit: 3, code: 'token_missing', next: expect.stringContaining('token add') };
    for (const options of [{ host: '0.0.0.0' }, { host: '::' }, { host: '192.0.2.7' }, { requireToken: true }])
      expect(await plan(options)).toMatchObject(closed);
    expect(await plan({ allowHost: ['work.example'] })).toMatchObject(closed);
    const wanted = { name: 'old', scopes: ['read' as const], authority: 'user' as const, expiresAt: now };
    await addToken(app.store, wanted, now - 1);
    expect(await plan({ host: '0.0.0.0' })).toMatchObject(closed);
    await addToken(app.store, { ...wanted, name: 'new', expiresAt: now + 1 }, now);
    expect(await plan({ host: '0.0.0.0' })).toMatchObject({ place: { address: '0.0.0.0', reach: 'everywhere' } });
  });

  it('makes a token file where there is none, for its owner alone, and reads it the next time', async () => {
    const made = await plan({ host: '0.0.0.0', tokenFile: file() });
    const text = await readFile(file(), 'utf8');
    expect(made).toMatchObject({ fileToken: printOf(text.trim()) });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(told.join()).toContain(file());
    expect(told.join()).not.toContain(text.trim());
    expect(await plan({ tokenFile: file() })).toMatchObject({ fileToken: printOf(text.trim()) });
    await chmod(file(), 0o640);
    expect(await plan({ tokenFile: file() })).toMatchObject({
      code: 'token_file_open',
      found: expect.stringContaining('640'),
    });
    await chmod(file(), 0o600);
    await writeFile(file(), 'a password of my own');
    expect(await plan({ tokenFile: file() })).toMatchObject({ code: 'token_file_invalid' });
  });

  it('serves nobody where it ends by itself, unless it is said where', async () => {
    expect(await plan({ untilIdle: true })).toBeUndefined();
    expect(await plan({ http: false })).toBeUndefined();
    expect(await plan({ untilIdle: true, host: '127.0.0.1' })).toMatchObject({ port: 7420 });
  });

  it.each([
    [{ host: 'nothing.invalid' }, 'invalid_value'],
    [{ port: '70000' }, 'invalid_option'],
    [{ allowHost: ['https://work.example'] }, 'invalid_value'],
    [{ allowHost: ['work.example/'] }, 'invalid_value'],
  ])('refuses %j', async (options, code) => {
    expect(await plan(options)).toMatchObject({ type: 'failure', exit: 2, code });
  });
});
