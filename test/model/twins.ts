import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Command, ItemState, Rejection } from '../../src/core/index.ts';
import type { Executed, Store } from '../../src/store/index.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { emptyTables, type Tables } from '../../src/store/memory/tables.ts';
import { type Files, withFiles } from '../store/sqlite-files.ts';

/** Live Runs at a time, over all items: fewer than they would like. */
const CONCURRENCY = 4;

/** Never reached by what is charged; a call that may take more is refused. */
const DAILY_TOKENS = 1_000_000;

const POLICY = () => ({ concurrency: CONCURRENCY, dailyTokens: DAILY_TOKENS });

/** Two connections to one SQLite file, and maps in memory that are asked the same. */
export interface Twins {
  readonly oracle: Store;
  /** What the oracle holds, for rules over all items. */
  readonly tables: Tables;
  readonly concurrency: number;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** The answer of both; fails when they differ. The connections take turns, so each sees the other's writes. */
  readonly execute: (command: Command) => Promise<Executed | Rejection>;
  /** The state of both; fails when they differ. Read by the connection that did not write last. */
  readonly load: (itemId: string) => Promise<ItemState | undefined>;
  /** Asks all three the same and fails when an answer differs. */
  readonly ask: <T>(question: (store: Store) => Promise<T>) => Promise<T>;
}

/** Deep equality, quick when it holds and with a readable difference when not. */
export function same(found: unknown, wanted: unknown, where: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, where).toStrictEqual(wanted);
}

async function openTwins({ open, now, advance }: Files): Promise<Twins> {
  const policy = POLICY;
  const tables = emptyTables();
  const oracle = openMemoryStore({ now, policy, tables });
  // One remembers little, so that it often folds from snapshot and events.
  const files = [await open({ policy }), await open({ policy, cache: { items: 4, chars: 1_000_000 } })] as const;
  let turn: 0 | 1 = 0;
  return {
    oracle,
    tables,
    concurrency: CONCURRENCY,
    now,
    advance,
    execute: async (command) => {
      const wanted = await oracle.execute(command);
      turn = turn === 0 ? 1 : 0;
      same(await files[turn].execute(command), wanted, `answer to ${command.body.type}`);
      return wanted;
    },
    load: async (itemId) => {
      const wanted = await oracle.load(itemId);
      same(await files[turn === 0 ? 1 : 0].load(itemId), wanted, `state of ${itemId}`);
      return wanted;
    },
    ask: async (question) => {
      const wanted = await question(oracle);
      for (const file of files) same(await question(file), wanted, `answer to ${question}`);
      return wanted;
    },
  };
}

/** The oracle alone: every rule, and no files. */
export function withOracle(work: (twins: Twins) => Promise<void>): Promise<void> {
  const tables = emptyTables();
  let at = 1_000_000;
  const now = () => at;
  const oracle = openMemoryStore({ now, policy: POLICY, tables });
  const advance = (ms: number): void => {
    at += ms;
  };
  const { execute, load } = oracle;
  return work({
    oracle,
    tables,
    concurrency: CONCURRENCY,
    now,
    advance,
    execute,
    load,
    ask: (question) => question(oracle),
  });
}

export const withTwins = (work: (twins: Twins) => Promise<void>): Promise<void> =>
  withFiles(async (files) => work(await openTwins(files)));
