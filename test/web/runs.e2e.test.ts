import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onMachine, type ServedApi, serveApi } from '../../src/api/index.ts';
import type { Command, Receipt } from '../../src/core/index.ts';
import { type LiveSource, openLiveText, type World } from '../../src/engine/index.ts';
import { openMemoryStore } from '../../src/store/index.ts';
import { actionSpec, claim, command, completed, create, dispatch, outcomeOf, settle } from '../store/items.ts';
import { AGENT, agentItem, call, post, runFence } from '../store/talk-items.ts';
import { beginWork } from '../support/at-work.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { visitor } from './browser.ts';
import { builtPage } from './built-page.ts';
import { CHROMIUM, WITHOUT } from './chromium.ts';

const LOG_BYTES = 50_000_000;
const CHECK = { run: 'npm test', timeoutSec: 60, expectExit: 0, protect: [], network: 'none' as const };
const CHECKED = { criteria: [{ id: 'c1', version: 1, text: 'It works.', minProof: 'machine' as const, check: CHECK }] };

const receiptWith = (hash: string, bytes: number): Receipt => ({
  ...{ criterionId: 'c1', criterionVersion: 1, verdict: 'passed', command: 'npm test', at: 'c'.repeat(40) },
  ...{ exitCode: 0, durationMs: 12_000, log: { hash, bytes, tail: 'the kept end\n' } },
  ...{ flags: [], changed: [], engine: 'test' },
});

function longLog(): string {
  const line = (n: number): string => `${String(n).padStart(8, '0')} a test passes, and says so in a line of the log\n`;
  return Array.from({ length: Math.ceil(LOG_BYTES / line(0).length) }, (_, n) => line(n)).join('');
}

describe.skipIf(CHROMIUM === undefined)(`Actions and Runs on the page${WITHOUT}`, () => {
  const at = visitor();
  const store = openMemoryStore();
  const liveText = openLiveText();
  let api: ServedApi;
  let rig: Rig;
  let world: World;

  beforeAll(async () => {
    const [page, opened] = await Promise.all([builtPage(), openRig()]);
    rig = opened;
    world = { ...(await rig.world()), store };
    api = await serveApi({ store, liveText, version: '1.0.0', port: 0, page, machine: onMachine(world) });
  });
  afterAll(async () => {
    await api.close();
    await store.close();
    await rig.close();
  });

  async function does(...commands: readonly Command[]): Promise<void> {
    for (const each of commands) {
      const said = await store.execute(each);
      if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
    }
  }
  const checkedWith = async (id: string, receipt: Receipt): Promise<void> => {
    const outcome = { ...outcomeOf(completed([])), receipts: [receipt] } as ReturnType<typeof outcomeOf>;
    await does(
      create(id, { contract: CHECKED }),
      claim(id, `${id}-1`),
      dispatch(id, `${id}-1`),
      settle(id, `${id}-1`, outcome),
    );
  };

  it('rule 4.9-26: live text stands where the answer will stand, and is replaced by it: never doubled, and no more is read than this item', async () => {
    const fence = runFence('live-1');
    const source: LiveSource = { kind: 'text', runId: 'live-1', callId: 'call-1' };
    await does(
      agentItem('live', { actions: [{ id: 'a1', spec: AGENT }] }),
      claim('live', 'live-1'),
      dispatch('live', 'live-1'),
    );
    const asked = call('live', fence, 'call-1');
    await does(asked.prepare, asked.dispatch);
    liveText.write('live', source, 'What the model says.\n');
    liveText.write('live', { kind: 'output', runId: 'live-1', actionId: 'a1' }, 'What the model says.\n');
    const page = await at.visit(`${api.url}/work/live/actions/a1/runs/live-1`);
    await page.getByText('Being written').waitFor();
    const words = page.locator('article').getByText('What the model says.');
    expect(await words.count()).toBe(1);
    const { hash: responseHash } = await store.putContent(
      JSON.stringify({ parts: [{ kind: 'text', text: 'What the model says.' }] }),
    );
    const asks = new Set<string>();
    page.on('request', (request) => asks.add(`${request.method()} ${new URL(request.url()).pathname}`));
    const charge = { tokens: 7, costMicros: 5 };
    await does(asked.settle({ as: 'responded', responseHash, charge, tokens: null, stop: 'end' }));
    liveText.end('live', source);
    await page.getByText('Being written').waitFor({ state: 'detached' });
    await words.waitFor();
    await does(settle('live', 'live-1'));
    await page.locator('article').getByText('completed', { exact: true }).waitFor();
    expect(await words.count()).toBe(1);
    expect([...asks]).toContain('GET /api/v1/work-items/live/actions/a1/runs/live-1');
    // Beside the item itself only how much is in each lane, and what waits, which the rail counts.
    const counts = new Set(['GET /api/v1/work-items', 'GET /api/v1/requests']);
    const others = [...asks].filter((ask) => ask.includes(' /api/') && !counts.has(ask));
    expect(others.filter((ask) => !ask.startsWith('GET /api/v1/work-items/live'))).toEqual([]);
    await page.reload();
    await words.waitFor();
    expect(await words.count()).toBe(1);
    expect(
      await page
        .locator('article')
        .getByRole('button', { name: /earlier|more/i })
        .count(),
    ).toBe(0);
  });

  it('a log of 50 MB opens at its end, is read in parts, and draws only the lines in sight', async () => {
    const { hash, bytes } = await store.putContent(longLog());
    await checkedWith('log', receiptWith(hash, bytes));
    const page = await at.visit(`${api.url}/work/log/actions/a1/runs/log-1`);
    let read = 0;
    page.on('response', (response) => {
      if (response.url().includes('/contents/')) read += Number(response.headers()['content-length'] ?? bytes);
    });
    await page.getByRole('button', { name: 'Show the log' }).click();
    const lines = page.getByRole('log');
    const last = Math.ceil(LOG_BYTES / 57) - 1;
    await lines.getByText(`${String(last).padStart(8, '0')} a test passes`).waitFor();
    expect(await lines.locator('[class*=line]').count()).toBeLessThan(200);
    await lines.evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(() => lines.evaluate((box) => box.scrollHeight)).toBeGreaterThan(150_000);
    await page.getByRole('button', { name: 'Beginning' }).click();
    await lines.getByText('00000000 a test passes').waitFor();
    expect(read).toBeLessThan(2_000_000);
  });

  it('a log that is gone says so, and shows the end that the receipt has kept', async () => {
    await checkedWith('gone', receiptWith('d'.repeat(64), 1_000));
    const page = await at.visit(`${api.url}/work/gone/actions/a1/runs/gone-1`);
    await page.getByRole('button', { name: 'Show the log' }).click();
    await page.getByText('c1.log is no longer kept.').waitFor();
    await page.getByText('the kept end').waitFor();
  });

  it('what a Run printed is there after it has ended, as a log', async () => {
    await does(create('printed'), claim('printed', 'printed-1'), dispatch('printed', 'printed-1'));
    const page = await at.visit(`${api.url}/work/printed/actions/a1/runs/printed-1`);
    await page.getByText('Nothing is being printed now').waitFor();
    await mkdir(world.home.run('printed-1'), { recursive: true });
    await writeFile(join(world.home.run('printed-1'), 'output.log'), 'what the command printed\n');
    await does(settle('printed', 'printed-1'));
    await page.getByRole('log').getByText('what the command printed').waitFor();
    await page.getByText('LOG', { exact: true }).waitFor();
  });

  it('what an Action writes is watched live, stands still under a comment, and becomes the recorded diff', async () => {
    const work = await beginWork(world, 'watched', rig.repo);
    await writeFile(join(work.path, 'made.txt'), 'first line\n');
    await writeFile(join(work.path, 'tall.txt'), 'tall\n'.repeat(700));
    const page = await at.visit(`${api.url}/work/watched/actions/a1`);
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/workspace/')) sizes.push((await response.body().catch(() => '')).length);
    });
    await page.getByText('2 files changed so far').waitFor();
    await page.getByRole('link', { name: 'Watch the changes' }).click();
    const live = page.getByRole('region', { name: 'Changes while they are made' });
    await page.getByText('LIVE', { exact: true }).waitFor();
    await live.getByText('first line', { exact: true }).hover();
    await live.getByRole('button', { name: 'Comment on line 1', exact: true }).first().click();
    const comment = page.getByRole('textbox', { name: 'About made.txt:1' });
    await comment.fill('Why first?');
    await appendFile(join(work.path, 'made.txt'), 'second line\n');
    liveText.write('watched', { kind: 'output', runId: work.runId, actionId: 'a1' }, 'It goes on.\n');
    await page.getByText('It has changed since').waitFor();
    expect(await live.getByText('second line', { exact: true }).count()).toBe(0);
    const isWritten = () => comment.evaluate((box) => box === box.ownerDocument.activeElement);
    expect(await isWritten()).toBe(true);
    await page.getByRole('button', { name: 'Show how it is now' }).click();
    await live.getByText('second line', { exact: true }).waitFor();
    expect(await comment.inputValue()).toBe('Why first?');
    // A box that is written in is there however far one scrolls, and stays when the Run ends under it.
    const lines = live.getByRole('group', { name: 'Changes' });
    await comment.click();
    await page.keyboard.press('End');
    await lines.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await lines.getByRole('button', { name: 'Comment on line 700' }).waitFor({ state: 'attached' });
    expect(await lines.getByText('second line', { exact: true }).count()).toBe(0);
    await page.keyboard.type(' no');
    expect(await isWritten()).toBe(true);
    const commit = await work.end();
    await page.getByText('SNAPSHOT', { exact: true }).waitFor();
    await page.keyboard.type('ne');
    expect(await isWritten()).toBe(true);
    await page.getByRole('button', { name: 'Discard comment' }).waitFor();
    await page.getByRole('combobox', { name: 'Changes of' }).focus();
    await page.getByText('DIFF', { exact: true }).waitFor();
    await page.getByText(commit.slice(0, 10)).waitFor();
    await page.getByText('second line', { exact: true }).waitFor();
    expect(await comment.inputValue()).toBe('Why first? none');
    expect(await live.count()).toBe(0);
    expect(Math.max(...sizes)).toBeLessThan(50_000);
    // By keys one choice leads to the next: what is shown changes, what is chosen with does not.
    await page.getByRole('combobox', { name: 'Changes of' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.waitForURL('**/diff');
    // Where there are no lines, what was written about one is there all the same.
    await page.getByText('1 comment is about lines that are not in this diff').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL('**/diff/actions/a1');
    // Without the box one goes on in the list.
    await page.getByRole('button', { name: 'Discard comment' }).press('Enter');
    await comment.waitFor({ state: 'detached' });
    const list = page.getByRole('group', { name: 'Changes' });
    expect(await list.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
  });

  it('a change that comes too late is refused where it was asked for, and what was typed stays', async () => {
    await does(
      create('late', {
        actions: [
          { id: 'a1', spec: actionSpec('a1') },
          { id: 'a2', spec: actionSpec('a2') },
        ],
      }),
    );
    const begin = async (text: string) => {
      const page = await at.visit(`${api.url}/work/late/actions/a2`);
      await page.getByRole('button', { name: 'Close…' }).click();
      await page.getByRole('dialog').getByLabel('Why? (may be empty)').fill(text);
      return page;
    };
    const [first, second] = [await begin('not needed'), await begin('nobody wants it')];
    await first.getByRole('button', { name: 'Step over it' }).click();
    await first.getByText('Stepped over: not needed').waitFor();
    await second.getByRole('button', { name: 'Step over it' }).click();
    await second.getByRole('dialog').getByText('it cannot be closed').waitFor();
    expect(await second.getByLabel('Why? (may be empty)').inputValue()).toBe('nobody wants it');
  });

  it('what ran when has a lane for each workspace, is walked by arrows, and says what came together', async () => {
    const shared = { workspace: 'shared', dependsOn: ['a1', 'a2'] } as const;
    const actions = ['a1', 'a2', 'a3'].map((id) => ({ id, spec: actionSpec(id, id === 'a3' ? shared : {}) }));
    await does(create('joined', { actions }));
    let expectedHead = 'b'.repeat(40);
    for (const n of [1, 2, 3]) {
      const [actionId, runId, head] = [`a${n}`, `joined-${n}`, String(n).repeat(40)];
      await does(claim('joined', runId, { actionId }), dispatch('joined', runId), settle('joined', runId));
      const result = { kind: 'merged', head } as const;
      await does(command('joined', { type: 'RecordMerge', actionId, generation: 1, expectedHead, result }));
      expectedHead = head;
    }
    const page = await at.visit(`${api.url}/work/joined/actions`);
    const own = page.getByRole('group', { name: 'Own workspaces' });
    await own.getByRole('link', { name: /^a1: Run 1, succeeded/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/actions\/a3\/runs\/joined-3$/);
    await page.goBack();
    const join = page.getByRole('group', { name: 'Shared workspace' }).getByRole('link');
    expect(await join.getAttribute('aria-label')).toMatch(/^a3: Run 1, succeeded.*; brings together a1 and a2$/);
    expect(await own.getByRole('link').count()).toBe(2);
    await page.getByRole('button', { name: 'As a table' }).click();
    await page
      .getByRole('row', { name: /^a3 · Run 1 succeeded .* Shared workspace brings together a1 and a2$/ })
      .waitFor();
  });

  it('messages to an Action are read back to the first, however much was said since', async () => {
    const actions = ['a1', 'a2'].map((id) => ({ id, spec: AGENT }));
    await does(agentItem('talk', { actions }), post('talk', 'The very first word', 'a1'));
    for (let n = 0; n < 120; n += 1) await does(post('talk', `word ${n} to another`, 'a2'));
    const page = await at.visit(`${api.url}/work/talk/actions/a1`);
    const content = page.getByRole('tabpanel', { name: 'Actions' });
    const earlier = content.getByRole('button', { name: 'Show earlier messages to it' });
    await earlier.click();
    await content.getByText('The very first word').waitFor();
    await expect.poll(() => earlier.count()).toBe(0);
  });

  it('events about something are looked for by the server, and what comes since is added', async () => {
    await does(create('told'), claim('told', 'told-1'), dispatch('told', 'told-1'));
    const page = await at.visit(`${api.url}/work/told/events`);
    const asks: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/events')) asks.push(searchParams);
    });
    await page.getByRole('button', { name: 'Runs', exact: true }).click();
    await page.getByText('2 events are about that.').waitFor();
    await does(settle('told', 'told-1'));
    await page.getByText('3 events are about that.').waitFor();
    await page.getByText('Run ended').waitFor();
    expect(await page.getByText('Created', { exact: true }).count()).toBe(0);
    // The conversation looks for others, of its own.
    const narrowed = asks.filter((query) => query.getAll('type').includes('RunSettled'));
    expect(narrowed[0]?.getAll('type')).toEqual(expect.arrayContaining(['RunClaimed', 'RunSettled']));
    expect(narrowed.map((query) => Number(query.get('after')) > 0)).toEqual([false, true]);
  });
});
