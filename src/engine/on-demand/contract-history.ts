import { evolve, type ItemState } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';

/** The item as it last was under one version of its contract. */
export interface ContractVersion {
  readonly state: ItemState;
  /** When the version came to be; epoch milliseconds. */
  readonly at: number;
  /** Names of the parts that differ from the version before; none of the first. */
  readonly changed: readonly string[];
}

/** Every version, oldest first. Folds the stream: for questions that are rarely asked. */
export async function contractHistory(store: Store, itemId: string): Promise<readonly ContractVersion[]> {
  const versions: ContractVersion[] = [];
  let state: ItemState | undefined;
  for (;;) {
    const events = await store.events(itemId, { after: state?.version ?? 0 });
    for (const event of events) {
      state = evolve(state, itemId, event);
      const { body, at } = event;
      const last = versions.at(-1);
      if (last?.state.contractVersion === state.contractVersion) versions[versions.length - 1] = { ...last, state };
      else versions.push({ state, at, changed: changedBy(body) });
    }
    if (events.length === 0) return versions;
  }
}

function changedBy(body: Parameters<typeof evolve>[2]['body']): readonly string[] {
  if (body.type === 'ContractEdited') return body.changed;
  return body.type === 'DeliveryChanged' ? ['delivery'] : [];
}
