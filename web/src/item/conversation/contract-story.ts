import type { Event } from '../../../../src/client/index.ts';
import type { PartName } from '../contract/contract-parts.ts';

/** A change of what was asked for, after the work had begun. */
export interface ContractChange {
  readonly seq: number;
  readonly at: number;
  readonly changed: readonly PartName[];
  /** In its words of then, where it was changed. */
  readonly goal?: string;
}

/** What was asked for when the work began, and what became of that since. */
export interface ContractStory {
  readonly goal: string;
  readonly at: number;
  readonly changes: readonly ContractChange[];
}

const goalOf = ({ body: { contract } }: Event): string =>
  typeof contract === 'object' && contract !== null && 'goal' in contract ? String(contract.goal) : '';

const changedBy = ({ body: { type, changed } }: Event): readonly PartName[] =>
  type === 'DeliveryChanged' ? ['delivery'] : Array.isArray(changed) ? changed : [];

const isEdit = ({ body: { type } }: Event): boolean => type === 'ContractEdited' || type === 'DeliveryChanged';

function changeOf(event: Event): ContractChange {
  const changed = changedBy(event);
  return { seq: event.seq, at: event.at, changed, ...(changed.includes('goal') ? { goal: goalOf(event) } : {}) };
}

/** What was changed while it was a draft, before anybody heard of it, is how it began. */
export function storyOf(events: readonly Event[]): ContractStory {
  const started = events.findIndex(({ body }) => body.type === 'ItemStarted');
  const [before, after] = started < 0 ? [events, []] : [events.slice(0, started), events.slice(started)];
  const began = before.findLast((event) => goalOf(event) !== '');
  return { goal: began ? goalOf(began) : '', at: began?.at ?? 0, changes: after.filter(isEdit).map(changeOf) };
}
