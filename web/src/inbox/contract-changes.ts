import type { Contract } from '../../../src/client/index.ts';

/** One part of a contract before and after; null where there is none. */
export interface Change {
  readonly part: 'title' | 'goal' | 'instructions' | 'setup' | 'delivery' | 'criterion';
  /** Of a criterion. */
  readonly id?: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Bag = Readonly<Record<string, unknown>>;

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const setupText = (setup: unknown): string | null => (isBag(setup) ? text(setup.run) : text(setup));

function deliveryText(delivery: unknown): string | null {
  if (!isBag(delivery)) return text(delivery);
  return [text(delivery.target), text(delivery.branch)].filter((part) => part !== null).join(' → ');
}

function criterionText(criterion: unknown): string | null {
  if (!isBag(criterion)) return null;
  const run = isBag(criterion.check) ? text(criterion.check.run) : text(criterion.check);
  return [text(criterion.text), run === null ? null : `$ ${run}`, `(${text(criterion.minProof)})`]
    .filter((part) => part !== null)
    .join('\n');
}

const criteriaOf = (contract: Bag): ReadonlyMap<string, unknown> => {
  const list: readonly unknown[] = Array.isArray(contract.criteria) ? contract.criteria : [];
  return new Map(list.map((each) => [isBag(each) ? (text(each.id) ?? '') : '', each]));
};

/** What a proposal would change of the contract as it is; the parts that stay are left out. */
export function contractChanges(now: Contract, proposed: unknown): readonly Change[] {
  if (!isBag(proposed)) return [];
  const is = criteriaOf({ ...now });
  const becomes = criteriaOf(proposed);
  const changes: readonly Change[] = [
    { part: 'title', before: text(now.title), after: text(proposed.title) },
    { part: 'goal', before: text(now.goal), after: text(proposed.goal) },
    ...[...new Set([...is.keys(), ...becomes.keys()])].map((id) => ({
      ...{ part: 'criterion' as const, id },
      ...{ before: criterionText(is.get(id)), after: criterionText(becomes.get(id)) },
    })),
    { part: 'setup', before: setupText(now.setup), after: setupText(proposed.setup) },
    { part: 'delivery', before: deliveryText(now.delivery), after: deliveryText(proposed.delivery) },
    { part: 'instructions', before: text(now.instructions), after: text(proposed.instructions) },
  ];
  return changes.filter(({ before, after }) => before !== after);
}
