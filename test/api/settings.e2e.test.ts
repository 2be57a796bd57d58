import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served();
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const read = async (): Promise<unknown> => (await at.get('/api/v1/settings')).json();

async function put(settings: unknown, tag: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'if-match': tag };
  const body = JSON.stringify(settings);
  return (await fetch(`${at.api.url}/api/v1/settings`, { method: 'PUT', headers, body })).json();
}

describe('settings (D34)', () => {
  it('are read with their version, and changed against it', async () => {
    expect(await read()).toEqual({ version: 0, settings: {}, local: [], problem: null });
    const settings = { concurrency: 5, limits: { usd: 3 } };
    expect(await put(settings, '"0"')).toEqual({ version: 1, settings, local: [], problem: null });
    expect(await read()).toMatchObject({ version: 1, settings });
    expect(await put({}, '"0"')).toMatchObject({ status: 409, code: 'settings_version_stale', found: '1' });
    expect(await put({}, '1')).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await read()).toMatchObject({ version: 1, settings });
  });

  it('that run commands or send keys are neither told nor changed from afar, and stay', async () => {
    const local = { notify: 'post --token s3cret', models: { providers: { own: { kind: 'openai' } } } };
    await at.store.writeSettings(0, { ...local, concurrency: 2 });
    expect(await read()).toMatchObject({ settings: { concurrency: 2 }, local: ['notify', 'models.providers'] });
    expect(JSON.stringify(await read())).not.toContain('s3cret');
    for (const settings of [{ notify: 'true' }, { sandbox: 'off' }, local, { permissions: { rules: [] } }]) {
      expect(await put(settings, '"1"'), JSON.stringify(settings)).toMatchObject({
        status: 403,
        code: 'local_setting',
      });
    }
    expect(await put({ models: { coordinator: 'own/best' } }, '"1"')).toMatchObject({ version: 2 });
    expect((await at.store.readSettings()).value).toEqual({
      notify: local.notify,
      models: { coordinator: 'own/best', providers: local.models.providers },
    });
  });

  it('are refused where they are none', async () => {
    for (const settings of [{ colour: 'red' }, { concurrency: 65 }, { concurrency: '5' }, { limits: { usd: 0 } }, []]) {
      expect(await put(settings, '"0"'), JSON.stringify(settings)).toMatchObject({ status: 400 });
    }
    expect(await read()).toMatchObject({ version: 0 });
  });
});
