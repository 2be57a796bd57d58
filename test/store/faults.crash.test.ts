import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/core/index.ts';
import { isStoreError, type Store, type StoreErrorCode } from '../../src/store/index.ts';
import { COMMIT } from '../../src/store/sqlite/sql.ts';
import type { StatementHook } from '../../src/store/sqlite/statements.ts';
import { actionSpec, claim, create, dispatch, settle } from './items.ts';
import { type Files, withFiles } from './sqlite-files.ts';

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

const inPlace = {
  contract: { workspace: 'in-place' as const },
  actions: [{ id: 'a1', spec: actionSpec('a1', { workspace: 'shared' }) }],
};

/** A cycle whose every command is a step to be broken. */
const STEPS: readonly (readonly [name: string, command: Command])[] = [
  ['create', create('i1', inPlace, { idempotencyKey: 'k0' })],
  ['claim', { ...claim('i1', 'r1'), idempotencyKey: 'k1' }],
  ['dispatch', { ...dispatch('i1', 'r1'), idempotencyKey: 'k2' }],
  ['settle', { ...settle('i1', 'r1'), idempotencyKey: 'k3' }],
];

const CODES: readonly (readonly [driver: string, ours: StoreErrorCode])[] = [
  ['SQLITE_FULL', 'store_full'],
  ['SQLITE_IOERR_WRITE', 'store_io'],
];

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

describe.each(CODES)('%s at any statement leaves the state unchanged, or exactly applied', (...code) => {
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

const cycleOf = (id: string): readonly Command[] => [
  create(id, {}, { idempotencyKey: `key-${id}` }),
  claim(id, `r-${id}`),
  dispatch(id, `r-${id}`),
  settle(id, `r-${id}`),
];

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
        for (const command of cycle.slice(0, index)) await run(store, command);
        waits = 0;
        broken.arm('SQLITE_BUSY', n, 'before');
        const result = await store.execute(cycle[index] ?? create('none'));
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
