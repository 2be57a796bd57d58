import type { Submit } from '../api/index.ts';
import type { App } from './app.ts';
import { newItemId } from './item-id.ts';

/** How this installation makes an item of a goal; what does it is loaded with the first one. */
export const submitWith = ({ store, home, shell: { env, now } }: App): Submit => {
  return async (submission) => {
    const { submitGoal } = await import('../engine/submit/submit-goal.ts');
    return submitGoal({ store, home, env, now, newItemId }, submission);
  };
};
