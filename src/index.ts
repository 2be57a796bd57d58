/**
 * The package's front door: what a program needs to submit an item, carry it and read how it stands. Everything else
 * may change without notice.
 */
import { readFileSync } from 'node:fs';

export type { Command, CommandBody } from './core/command.ts';
export { type Goal, goalOf } from './core/derive/goal.ts';
export { sentenceOf } from './core/derive/sentence.ts';
export { type ItemStatus, statusOf } from './core/derive/status.ts';
export type { StoredEvent } from './core/event.ts';
export type { ActionState } from './core/model/action.ts';
export type { Contract, Criterion } from './core/model/contract.ts';
export type { ItemState } from './core/model/item.ts';
export type { Receipt } from './core/model/outcome.ts';
export type { HumanRequest } from './core/model/request.ts';
export { isRejection, type Rejection } from './core/rejection.ts';
export { type Engine, homeAt, openEngine, prepareHome, submitItem, type World } from './engine/index.ts';
export { compilePlan } from './plan/compile/compile.ts';
export { parsePlan } from './plan/read/parse.ts';
export { openSqliteStore as openStore } from './store/sqlite/open-sqlite-store.ts';
export type { Store } from './store/store.ts';
export { isStoreError, StoreError } from './store/store-error.ts';

const packageData: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Version of this package, such as `0.1.0`. */
export const version: string =
  typeof packageData === 'object' && packageData !== null && 'version' in packageData
    ? String(packageData.version)
    : 'unknown';
