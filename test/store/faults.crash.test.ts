import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/core/index.ts';
import { isStoreError, type Store, type StoreErrorCode } from '../../src/store/index.ts';
import { COMMIT, PUT_CONTENT } from '../../src/store/sqlite/sql.ts';
import type { StatementHook } from '../../src/store/sqlite/statements.ts';
import { claim, create, dispatch, type ItemShape, settle } from './items.ts';
import { type Files, withFiles } from './sqlite-files.ts';
import { AGENT, agentItem, call, post, responded, runFence } from './talk-items.ts';

/** Fails one statement the way the driver would. */
class DriverFault extends Error {
  readonly code: string;
  constructor(code: string) {
    super('words of the driver that nobody is to read');
    this.code = code;
  }
}

/** Counts statements once armed, and fails the N-th. */
function saboteur() {
  let left = Number.POSITIVE_INFINITY;
  let phase: 'before' | 'after' = 'before';
  let code = '';
  let hit: string | undefined;
  const onStatement: StatementHook = (at, statement) => {
    if (at !== phase || code === '') return;
    left -= 1;
    if (left !== 0) return;
    hit = statement;
    throw new DriverFault(code);
  };
  return {
    onStatement,
    arm: (nextCode: string, n: number, at: 'before' | 'after') => {
      [code, left, phase, hit] = [nextCode, n, at, undefined];
    },
    disarm: (): string | undefined => {
      code = '';
      return hit;
    },
  };
}

type Steps = readonly (readonly [name: string, command: Command])[];

/** A cycle whose every command is a step to be broken: a Run that is written to and asks a model once. */
function cycleOf(id: string, shape: ItemShape = {}): Steps {
  const run = `r-${id}`;
  const asked = call(id, runFence(run), `c-${id}`, { messages: 1 });
  const steps: Steps = [
    ['create', agentItem(id, shape)],
    ['claim', claim(id, run)],
    ['dispatch', dispatch(id, run)],
    ['message', post(id, 'Mind the tests.', 'a1')],
    ['prepare a call', asked.prepare],
    ['dispatch a call', asked.dispatch],
    ['settle a call', asked.settle(responded())],
    ['settle', settle(id, run)],
  ];
  return steps.map(([name, command], index) => [name, { ...command, idempotencyKey: `${id}-k${index}` }]);
}

const STEPS = cycleOf('i1', {
  contract: { workspace: 'in-place' },
  actions: [{ id: 'a1', spec: { ...AGENT, workspace: 'shared' } }],
});

const CODES: readonly (readonly [driver: string, ours: StoreErrorCode])[] = [
  ['SQLITE_FULL', 'store_full'],
  ['SQLITE_IOERR_WRITE', 'store_io'],
];

test('a body that cannot be stored undoes the command that names it, and nothing is half there', () =>
  withFiles(async ({ open }) => {
    const noBodies: StatementHook = (phase, statement) => {
      if (phase === 'before' && statement === PUT_CONTENT) throw new DriverFault('SQLITE_FULL');
    };
    const store = await open({ onStatement: noBodies });
    for (const [, step] of STEPS.slice(0, 4)) await run(store, step);
    const [, prepare] = STEPS[4] ?? [];
    if (!prepare) throw new Error('no call is prepared');
    const before = await dump(store);
    await expect(store.executeWith(prepare, ['the request'])).rejects.toMatchObject({ code: 'store_full' });
    expect(await dump(store)).toBe(before);
    expect(await dump(await open())).toBe(before);
  }));

const run = async (store: Store, command: Command): Promise<number> => {
  const result = await store.execute(command);
  if ('type' in result) return result.state.version;
  throw new Error(`refused: ${result.code}`);
};

/** Everything that is stored, as a text. */
async function dump(store: Store): Promise<string> {
  const state = await store.load('i1');
  const rows = await Promise.all([
    store.events('i1'),
    store.runs('i1'),
    store.entries('i1'),
    store.calls('i1'),
    store.liveRuns(),
    store.list({ limit: 9 }),
  ]);
  return JSON.stringify([state, ...rows]);
}

/** Breaks step `index` at statement 1, 2, 3 … until it runs through, and repeats it under its key each time. */
async function breakStep(
  files: Files,
  index: number,
  [driver, ours]: readonly [string, StoreErrorCode],
  phase: 'before' | 'after',
): Promise<number> {
  const broken = saboteur();
  const store = await files.open({ onStatement: broken.onStatement });
  const witness = await files.open();
  for (const [, command] of STEPS.slice(0, index)) await run(store, command);
  const [, step] = STEPS[index] ?? [];
  if (!step) throw new Error(`no step ${index}`);
  const before = await dump(witness);
  for (let n = 1; ; n++) {
    broken.arm(driver, n, phase);
    const outcome = await store.execute(step).catch((error: unknown) => error);
    const hit = broken.disarm();
    if (hit === undefined) return n - 1;
    if (!isStoreError(outcome)) throw new Error(`statement ${n} failed, and nobody said so`);
    expect(outcome.code).toBe(ours);
    expect(outcome.message).not.toContain('words of the driver');
    const committed = phase === 'after' && hit === COMMIT;
    if (committed) {
      // The commit happened, and its answer was lost: repeating under the key answers it again.
      const again = await store.execute(step);
      expect(again).toMatchObject({ type: 'executed', replayed: true });
      return n;
    }
    expect(await dump(witness)).toBe(before);
    expect(await dump(store)).toBe(before);
  }
}

describe.each(CODES)('%s at any statement leaves the state unchanged, or exactly applied (rule 8, V10)', (...code) => {
  for (const phase of ['before', 'after'] as const) {
    test.each(STEPS.map(([name], index) => [name, index] as const))(`%s, ${phase}`, (_name, index) =>
      withFiles(async (files) => {
        const statements = await breakStep(files, index, code, phase);
        expect(statements).toBeGreaterThan(5);
        const store = await files.open();
        for (const [, command] of STEPS.slice(index)) await run(store, command);
        expect((await store.doctor()).findings).toEqual([]);
      }),
    );
  }
});

test.each(STEPS.map(([name], index) => [name, index] as const))(
  'busy at any statement of %s is waited for, and the command is executed once',
  (_name, index) =>
    withFiles(async (files) => {
      const broken = saboteur();
      let waits = 0;
      const sleep = async () => {
        waits += 1;
      };
      const store = await files.open({ onStatement: broken.onStatement, patience: { sleep } });
      for (let n = 1, hit = true; hit; n++) {
        const cycle = cycleOf(`i${n}`);
        for (const [, command] of cycle.slice(0, index)) await run(store, command);
        waits = 0;
        broken.arm('SQLITE_BUSY', n, 'before');
        const [, step] = cycle[index] ?? [];
        if (!step) throw new Error(`no step ${index}`);
        const result = await store.execute(step);
        hit = broken.disarm() !== undefined;
        expect(result).toMatchObject({ type: 'executed', replayed: false });
        expect(waits).toBe(hit ? 1 : 0);
      }
      expect((await store.doctor()).findings).toEqual([]);
    }),
);

test('a lock that is never released ends in a typed refusal after the waits add up, not before', () =>
  withFiles(async (files) => {
    let waitedMs = 0;
    const sleep = async (ms: number) => {
      waitedMs += ms;
    };
    const busyAtBegin: StatementHook = (phase, statement) => {
      if (phase === 'before' && statement.startsWith('BEGIN IMMEDIATE')) throw new DriverFault('SQLITE_BUSY');
    };
    const store = await files.open({ onStatement: busyAtBegin, patience: { sleep, limitMs: 30_000 } });
    expect(await store.execute(create('i1'))).toMatchObject({ code: 'store_busy' });
    expect(waitedMs).toBeGreaterThanOrEqual(30_000);
    expect(waitedMs).toBeLessThan(31_000);
    await expect(store.heartbeat(WORKER)).rejects.toMatchObject({ code: 'store_busy' });
  }));

const WORKER = { owner: 'o', machine: 'm', pid: 1, startTime: '1', bootId: 'b', version: '0' };
