import type { ItemState } from '../core/model/item.ts';
import type { EntryRow } from '../store/talk-rows.ts';
import type { App } from './app.ts';
import type { DiffLine } from './render/line-diff.ts';

/** What the Coordinator decided in one turn, in its own words. */
export interface Decided {
  readonly at: number;
  readonly turnId: string;
  readonly kinds: readonly string[];
  readonly reply: string;
  readonly reason: string;
}

/** What was said about an item lately, oldest first. */
export interface Talk {
  readonly entries: readonly EntryRow[];
  readonly decisions: readonly Decided[];
  /** What each proposed contract would change, by request id. */
  readonly diffs: ReadonlyMap<string, readonly DiffLine[]>;
}

export const NO_TALK: Talk = Object.freeze({ entries: [], decisions: [], diffs: new Map() });

/** Events that are looked through for decisions: those of a few turns. */
const EVENTS_BACK = 400;
const DECISIONS = 5;
const ENTRIES = 12;

async function decisionsOf({ store }: App, { id, version, plan }: ItemState): Promise<readonly Decided[]> {
  if (plan.kind !== 'coordinated') return [];
  const events = await store.events(id, { after: Math.max(0, version - EVENTS_BACK), limit: EVENTS_BACK });
  const decided = events.flatMap(({ at, body }) => {
    if (body.type !== 'TurnDecided') return [];
    const { turnId, kinds, reply, reason } = body;
    return [{ at, turnId, kinds, reply, reason }];
  });
  return decided.slice(-DECISIONS);
}

/** The proposed contracts against the present one. Reads plan files, so it is loaded only for them. */
async function diffsOf({ requests, contract }: ItemState): Promise<Talk['diffs']> {
  const diffs = new Map<string, readonly DiffLine[]>();
  for (const { id, subject } of requests) {
    if (subject.kind !== 'contract_proposal') continue;
    const [{ contractText }, { lineDiff }] = await Promise.all([
      import('./contract-file.ts'),
      import('./render/line-diff.ts'),
    ]);
    diffs.set(id, lineDiff(contractText(contract), contractText(subject.proposal.contract)));
  }
  return diffs;
}

/** The last entries, decisions and open proposals of an item. */
export async function talkOf(app: App, state: ItemState): Promise<Talk> {
  const [entries, decisions, diffs] = await Promise.all([
    app.store.entries(state.id, { limit: ENTRIES }),
    decisionsOf(app, state),
    diffsOf(state),
  ]);
  return { entries, decisions, diffs };
}
