import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { actionSpec, command, createBody } from '../store/items.ts';
import { compiledScript } from '../support/compiled-script.ts';
import { complaints, until } from '../support/rig.ts';

const SCRIPT = await compiledScript(new URL('../support/claimer-process.ts', import.meta.url));
const PER_ITEM = 60;

interface Claimer {
  text(): string;
  begin(): void;
  kill(): void;
  readonly ended: Promise<number | null>;
}

function startClaimer(database: string, owner: string): Claimer {
  const order = JSON.stringify({ database, owner });
  const child = spawn(process.execPath, [SCRIPT, order], { stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  const take = (chunk: unknown): void => {
    text += String(chunk);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return {
    text: () => text,
    begin: () => void child.stdin?.end('go\n'),
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  };
}

const claimsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('claimed '));

/**
 * Three processes take `count` Actions of one database, one of them is killed midway. Checks that each Action was
 * claimed once, that nothing failed, and that at most the killed one's last claim is left open.
 */
export async function raceForClaims(count: number): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'wc-claims-'));
  const database = join(root, 'workcenter.db');
  const store = await openSqliteStore({ path: database, durability: 'normal' });
  const itemIds = Array.from({ length: Math.ceil(count / PER_ITEM) }, (_, index) => `item-${index}`);
  for (const itemId of itemIds) {
    const ids = Array.from({ length: PER_ITEM }, (_, index) => `a${index}`);
    const actions = ids.map((id) => ({ id, spec: actionSpec(id, { workspace: 'read' }) }));
    const created = await store.execute(
      command(itemId, createBody({ actions }), { principal: { kind: 'user', name: 'test' } }),
    );
    expect('code' in created && created.message).toBe(false);
  }
  const claimers = ['one', 'two', 'three'].map((owner) => startClaimer(database, owner));
  const [first, ...others] = claimers;
  try {
    const areReady = () => claimers.every((claimer) => claimer.text().startsWith('ready'));
    await until('all are there', areReady, 600_000);
    for (const claimer of claimers) claimer.begin();
    const counts = () => claimers.map((claimer) => claimsIn(claimer.text()).length);
    // SQLite promises nobody a turn: how many each gets is not what is asked for, but all have to be in the race.
    const isMidway = () => counts().every((n) => n > 0) && counts().reduce((sum, n) => sum + n, 0) >= count / 10;
    await until('all have some, and a tenth is taken', isMidway, 600_000);
    first?.kill();
    await first?.ended;
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0]);
  } finally {
    for (const claimer of claimers) claimer.kill();
  }
  const texts = claimers.map((claimer) => claimer.text());
  for (const text of texts) expect(text).not.toMatch(/database is locked|SQLITE_BUSY|Error/);
  const taken = texts.flatMap(claimsIn).map((line) => line.split(' ').slice(2).join(' '));
  expect(new Set(taken).size).toBe(taken.length);
  const states = await Promise.all(itemIds.map((itemId) => store.load(itemId)));
  const actions = states.flatMap((state) => state?.actions ?? []);
  const open = actions.filter(({ status }) => status !== 'completed');
  expect(open.every(({ status }) => status === 'running')).toBe(true);
  expect(open.length).toBeLessThanOrEqual(1);
  expect(actions.every(({ runs }) => runs === 1)).toBe(true);
  expect(await complaints(store)).toEqual([]);
  await store.close();
  await rm(root, { recursive: true, force: true });
}
