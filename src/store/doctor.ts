import { setImmediate } from 'node:timers/promises';
import { canonical } from '../core/index.ts';
import { type Expected, type Inspection, type ItemView, inspectItem } from './inspect-item.ts';
import type { DoctorReport, Finding, RepairReport } from './store.ts';

interface LaneCount {
  readonly directory: string;
  readonly lane: string;
  readonly n: number;
}

/** What the doctor needs of a store. Each call is one consistent view, and short. */
export interface DoctorSource {
  /** The next id behind `after` that has events or rows. */
  readonly nextItem: (after: string) => Promise<string | undefined>;
  readonly view: (itemId: string) => Promise<ItemView>;
  /** Items named by leases or holds: a name without a stream is a finding too. */
  readonly namedBySides: () => Promise<readonly string[]>;
  readonly laneCounts: () => Promise<{ readonly stored: readonly LaneCount[]; readonly counted: readonly LaneCount[] }>;
  /** Damage that the engine underneath reports, as sentences. */
  readonly damage: () => Promise<readonly string[]>;
  /** Reads, inspects and rewrites one item in one write transaction. */
  readonly mend: (itemId: string, plan: (view: ItemView) => Mending) => Promise<void>;
  readonly recount: () => Promise<void>;
}

/** What to write for an item: its rows anew; or nothing but freeing what it holds, where it has no stream. */
export type Mending =
  | { readonly type: 'rewrite'; readonly expected: Expected; readonly dropSnapshot: boolean }
  | { readonly type: 'quarantine'; readonly reason: string }
  | { readonly type: 'free' };

const UNMENDABLE: ReadonlySet<Finding['kind']> = new Set(['unreadable', 'invariant', 'damage']);

async function* itemIds(source: DoctorSource): AsyncGenerator<string> {
  for (let id = await source.nextItem(''); id !== undefined; id = await source.nextItem(id)) {
    yield id;
    // One item at a time: leases are kept by the same thread.
    await setImmediate();
  }
}

const inspect = async (source: DoctorSource, itemId: string): Promise<Inspection & { events: number }> => {
  const view = await source.view(itemId);
  return { ...inspectItem(view), events: view.events.length };
};

async function strays(source: DoctorSource): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const itemId of await source.namedBySides()) {
    const { events, item } = await source.view(itemId);
    if (events.length > 0 || item) continue;
    findings.push({ kind: 'lease', itemId, what: `Leases or holds name item ${itemId}, which does not exist.` });
  }
  return findings;
}

async function countFindings(source: DoctorSource): Promise<readonly Finding[]> {
  const { stored, counted } = await source.laneCounts();
  const expected = canonical(counted);
  const found = canonical(stored);
  if (expected === found) return [];
  return [{ kind: 'counts', what: 'The counters of the lanes differ from the items.', expected, found }];
}

/** Examines a store without changing it. */
export async function examine(source: DoctorSource): Promise<DoctorReport> {
  const findings: Finding[] = (await source.damage()).map((what) => ({ kind: 'damage', what }));
  let items = 0;
  let events = 0;
  for await (const itemId of itemIds(source)) {
    const inspection = await inspect(source, itemId);
    items += 1;
    events += inspection.events;
    findings.push(...inspection.findings);
  }
  findings.push(...(await strays(source)), ...(await countFindings(source)));
  return { healthy: findings.length === 0, items, events, findings };
}

function mendingOf(view: ItemView): Mending {
  if (view.events.length === 0 && !view.item) return { type: 'free' };
  const { expected, findings } = inspectItem(view);
  if (!expected) return { type: 'quarantine', reason: findings[0]?.what ?? 'it cannot be read' };
  return { type: 'rewrite', expected, dropSnapshot: findings.some((finding) => finding.kind === 'snapshot') };
}

/** Rewrites what can be derived from events; events themselves are never touched. */
export async function mendAll(source: DoctorSource): Promise<RepairReport> {
  const { findings } = await examine(source);
  const items = new Set(findings.flatMap((finding) => finding.itemId ?? []));
  for (const itemId of items) {
    await source.mend(itemId, mendingOf);
    await setImmediate();
  }
  if (findings.length > 0) await source.recount();
  return {
    repaired: findings.filter((finding) => !UNMENDABLE.has(finding.kind)),
    left: (await examine(source)).findings,
  };
}
