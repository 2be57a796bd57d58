import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type CommandBody, type ItemState, isRunnable, isVerify } from '../../src/core/index.ts';
import { checkInvariants, checkStep } from '../../src/invariants/invariants.ts';
import type { Store } from '../../src/store/index.ts';
import type { Tables } from '../../src/store/memory/tables.ts';
import type { Twins } from './twins.ts';

/** A decision changes no contract but for the label: a person does, or confirms it (D20). */
function changedByModel(before: ItemState, after: ItemState, { type }: CommandBody): readonly string[] {
  if (type !== 'Decide') return [];
  const same = { ...after.contract, title: before.contract.title };
  const isSame = isDeepStrictEqual(same, before.contract) && after.contractVersion === before.contractVersion;
  return isSame ? [] : ['20: a decision changed the contract'];
}

/** What must hold of one item after a step that succeeded. */
export const brokenRules = (before: ItemState | undefined, after: ItemState, body: CommandBody): readonly string[] => [
  ...checkInvariants(after),
  ...(before ? [...checkStep(before, after), ...changedByModel(before, after, body)] : []),
];

const isWaitingWriter = (state: ItemState): boolean =>
  state.contract.workspace === 'in-place' &&
  state.actions.some((action) => !isVerify(action) && action.spec.workspace !== 'read' && isRunnable(state, action));

/** Directories: a writer is alone, and only who could still write keeps readers waiting (D29, invariant 1). */
function brokenHolds({ holds, waiters }: Tables, items: ReadonlyMap<string, ItemState>): readonly string[] {
  const all = [...holds.values()];
  const shared = all.filter(
    ({ key, mode, runId }) => mode === 'write' && all.some((other) => other.key === key && other.runId !== runId),
  );
  const idle = waiters.filter(({ itemId }) => {
    const state = items.get(itemId);
    return !state || !isWaitingWriter(state);
  });
  return [
    ...shared.map(({ key, itemId }) => `1: ${itemId} writes in ${key} beside somebody else`),
    ...idle.map(({ key, itemId }) => `29: ${itemId} waits for ${key} and has nothing to write`),
  ];
}

/** Leases of Runs: not more than allowed, and who must be alone is alone (D12, invariant 1). */
function brokenLeases({ leases }: Tables, concurrency: number, items: ReadonlyMap<string, ItemState>) {
  const live = [...leases.values()].filter(({ runId }) => runId !== null);
  const busy = live.filter(({ idle }) => !idle);
  const crowded = busy.filter(({ alone, owner }) => alone && busy.filter((other) => other.owner === owner).length > 1);
  const expected = [...items.values()].flatMap(({ runs }) => runs.map(({ id }) => id)).sort();
  const found = live.map(({ runId }) => runId ?? '').sort();
  return [
    ...(busy.length > concurrency ? [`1: ${busy.length} Runs are live`] : []),
    ...crowded.map(({ runId }) => `12: ${runId} must run alone and does not`),
    ...(found.join() === expected.join() ? [] : [`1: leases ${found.join()} for Runs ${expected.join()}`]),
  ];
}

/** What must hold between items after every step. */
export const brokenBetween = (twins: Twins, items: ReadonlyMap<string, ItemState>): readonly string[] => [
  ...brokenHolds(twins.tables, items),
  ...brokenLeases(twins.tables, twins.concurrency, items),
];

async function wholeList(store: Store): Promise<unknown> {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 7, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Items that changed, a page after the other from the first event on. */
async function allChanges(store: Store): Promise<unknown> {
  const pages = [];
  for (let page = await store.changedSince(0); page.items.length > 0; page = await store.changedSince(page.cursor)) {
    pages.push(page.items);
  }
  return pages;
}

/** Everything else that two stores must agree on, and what their doctors say. */
export async function agreeOnAll(twins: Twins, itemIds: Iterable<string>): Promise<void> {
  const { ask } = twins;
  const now = twins.now();
  for (const id of itemIds) {
    await ask((store) => store.events(id));
    await ask((store) => store.runs(id));
  }
  await ask(wholeList);
  await ask(allChanges);
  await ask((store) => store.list({ limit: 9, search: 'GOAL 1' }));
  await ask((store) => store.list({ limit: 9, directory: '/place', lane: 'needs_you' }));
  await ask((store) => store.findItems('i1'));
  await ask((store) => store.dueItems({ now, limit: 100 }));
  await ask((store) => store.nextDueAt(now));
  await ask((store) => store.liveRuns());
  await ask((store) => store.expiredRuns({ limit: 100 }));
  const reports = await ask((store) => store.doctor());
  expect(reports.findings).toEqual([]);
}
