import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addToken } from '../../src/api/access/token-records.ts';
import type { Item, Problem, Rerun } from '../../src/client/index.ts';
import { type Served, served } from './http.ts';

let at: Served;
beforeEach(async () => {
  at = await served({ tries: true });
});
afterEach(async () => {
  expect(await at.close()).toBe(0);
});

const read = async <T>(response: Response): Promise<T> => (await response.json()) as T;

async function itemWith(...checks: readonly (string | undefined)[]): Promise<string> {
  const criteria = checks.map((check) => ({ text: 'It holds.', ...(check === undefined ? {} : { check }) }));
  const wish = { goal: 'Make it hold', directory: at.rig.repo, criteria, start: false };
  const made = await read<{ id: string }>(await at.post('/api/v1/work-items', wish));
  return made.id;
}

const rerun = (id: string, body: object = {}, headers = {}): Promise<Response> =>
  at.post(`/api/v1/work-items/${id}/evidence/rerun`, body, headers);

describe('running checks again', () => {
  it('says what each check says now, and changes nothing of the item', async () => {
    const id = await itemWith('test -f README.md', 'echo no; exit 3', undefined);
    const before = await at.store.events(id);
    const said = await read<Rerun>(await rerun(id));
    expect(said).toMatchObject({
      passed: false,
      receipts: [
        { criterionId: 'c1', verdict: 'passed', exitCode: 0 },
        { criterionId: 'c2', verdict: 'wrong_exit', exitCode: 3, log: { tail: expect.stringContaining('no') } },
      ],
    });
    expect(await (await rerun(id, { criterionIds: ['c1'] })).json()).toMatchObject({
      passed: true,
      receipts: [{ criterionId: 'c1' }],
    });
    expect(await at.store.events(id)).toEqual(before);
    expect(await at.store.getContent(said.receipts[1]?.log.hash ?? '')).toBeUndefined();
  });

  it('refuses what has no check, before it is asked and after', async () => {
    const id = await itemWith(undefined);
    const { can } = await read<Item>(await at.get(`/api/v1/work-items/${id}`));
    expect(can.rerun).toEqual({ allowed: false, reason: 'No criterion has a check.' });
    const refused = await rerun(id);
    expect([refused.status, (await read<Problem>(refused)).code]).toEqual([409, 'rerun_impossible']);
    expect((await rerun('nobody')).status).toBe(404);
  });

  it("is a person's to ask for, and one at a time for each item (D16)", async () => {
    const id = await itemWith('sleep 2');
    const wanted = { name: 'bot', scopes: ['operate' as const], authority: 'agent' as const, expiresAt: null };
    const { minted } = await addToken(at.store, wanted, Date.now());
    const agents = await rerun(id, {}, { authorization: `Bearer ${minted.token}` });
    expect([agents.status, (await read<Problem>(agents)).code]).toEqual([403, 'user_required']);
    const [first, second] = await Promise.all([rerun(id), rerun(id)]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
  });
});
