import type { ActionLine, Entry, Span } from '../../../../src/client/index.ts';
import type { ContractChange } from './contract-story.ts';
import type { Decision } from './decisions.ts';

/**
 * What stands in the conversation: something that was said, an Action where its work began, another contract, what a
 * person decided, with the words that came along.
 */
export type StreamPart =
  | { readonly kind: 'entry'; readonly at: number; readonly entry: Entry }
  | { readonly kind: 'action'; readonly at: number; readonly action: ActionLine }
  | { readonly kind: 'decision'; readonly at: number; readonly decision: Decision; readonly entry: Entry | undefined }
  | { readonly kind: 'change'; readonly at: number; readonly change: ContractChange };

type Began = Pick<Span, 'actionId' | 'startedAt'>;

/** How many Runs of an Action ended with a claim that the engine's own check refused. */
export const refusedClaims = (spans: readonly Pick<Span, 'actionId' | 'code'>[], actionId: string): number =>
  spans.filter((span) => span.actionId === actionId && span.code === 'claim_refused').length;

/** When each Action was first worked on, as far as is known. */
function beginnings(spans: readonly Began[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { actionId, startedAt } of spans) {
    if (actionId === null) continue;
    first.set(actionId, Math.min(startedAt, first.get(actionId) ?? startedAt));
  }
  return first;
}

/**
 * Entries, Actions and changes in the order of time. An Action that nobody has begun stands at the end, for it is what
 * comes next; what was before the oldest entry in sight waits until that part is read.
 */
export function streamParts(
  entries: readonly Entry[],
  actions: readonly ActionLine[],
  spans: readonly Began[],
  isWhole: boolean,
  changes: readonly ContractChange[] = [],
  decisions: readonly Decision[] = [],
): readonly StreamPart[] {
  const first = beginnings(spans);
  const from = isWhole ? Number.NEGATIVE_INFINITY : (entries[0]?.at ?? Number.NEGATIVE_INFINITY);
  const decided = decisions
    .filter(({ choice }) => choice !== null)
    .map((decision): StreamPart => {
      const entry = entries.find(({ target: { kind, id } }) => kind === 'request' && id === decision.request.id);
      return { kind: 'decision', at: decision.at, decision, entry };
    });
  const told = new Set(decided.map((part) => (part.kind === 'decision' ? part.entry : undefined)));
  const said = entries
    .filter((entry) => !told.has(entry))
    .map((entry): StreamPart => ({ kind: 'entry', at: entry.at, entry }));
  const done = actions
    .filter(({ executor }) => executor.kind !== 'verify')
    .map((action): StreamPart => ({ kind: 'action', at: first.get(action.id) ?? Number.POSITIVE_INFINITY, action }));
  const became = changes.map((change): StreamPart => ({ kind: 'change', at: change.at, change }));
  const others = [...became, ...decided, ...done].filter(({ at }) => at >= from);
  // Sorting keeps the order of what happened at once: words before the work that they led to.
  return [...said, ...others].toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at));
}
