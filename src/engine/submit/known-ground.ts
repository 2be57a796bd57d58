import { realpath } from 'node:fs/promises';
import type { ItemState } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';
import type { Ground, SurveyRequest } from './survey.ts';

interface Asked extends SurveyRequest {
  readonly idempotencyKey?: string;
}

function groundOf({ contract, base }: ItemState): Ground {
  const { directory, workspace } = contract;
  const branch = base.kind === 'git' ? base.branch : undefined;
  return { directory, base, workspace, ...(branch === undefined ? {} : { defaultBranch: branch }) };
}

/**
 * The ground that the first submission under this key found, where it was the same wish: the directory may have moved
 * on since, and what is asked for again is the item, not another look at it (D14). Undefined where there was none.
 */
export async function knownGround(store: Store, asked: Asked): Promise<Ground | undefined> {
  const itemId = asked.idempotencyKey === undefined ? undefined : await store.submitted(asked.idempotencyKey);
  const state = itemId === undefined ? undefined : await store.load(itemId);
  if (!state) return undefined;
  const ground = groundOf(state);
  const directory = await realpath(asked.directory).catch(() => asked.directory);
  const isSame = directory === ground.directory && (!asked.inPlace || ground.workspace === 'in-place');
  return isSame ? ground : undefined;
}
