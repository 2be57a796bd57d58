import { createAdaptorServer } from '@hono/node-server';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => void vi.restoreAllMocks());

test('a scripted model that starts where another server was first answers once, and nothing complains', async () => {
  createAdaptorServer({ fetch: () => new Response() });
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { startScriptedModel } = await import('../../src/testing.ts');
  const model = await startScriptedModel({ name: 'second', steps: [{ reply: { text: 'Hello.' } }] });
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${model.openaiUrl}/chat/completions`, { method: 'POST', headers, body });
  expect(await answer.text()).toContain('Hello.');
  await model.close();
  expect(complaints.mock.calls).toEqual([]);
});
