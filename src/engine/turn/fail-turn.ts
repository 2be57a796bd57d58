import type { CommandOf, TurnFence } from '../../core/index.ts';
import { persist } from '../persist.ts';
import { issue, type World, wasRefused } from '../world.ts';

export type TurnFailure = Omit<CommandOf<'FailTurn'>, 'type' | keyof TurnFence>;

/** What another try would not change: a person has to set something first. */
const PERMANENT: ReadonlySet<string> = new Set([
  ...['unknown_provider', 'unknown_tag', 'model_missing', 'key_missing', 'unpriced_model'],
  ...['model_unauthorised', 'model_bad_request', 'model_not_found', 'model_not_a_model_api'],
]);

export const isPermanent = (code: string): boolean => PERMANENT.has(code);

const ERROR_CHARS = 8_000;

/** Ends the turn as failed; what it heard stays in the inbox, and is heard by the next (chapter 2 §14.2). */
export async function failTurn(
  held: { readonly world: World; readonly itemId: string; readonly fence: TurnFence; readonly signal: AbortSignal },
  failure: TurnFailure,
): Promise<void> {
  const { world, itemId, fence, signal } = held;
  const error = failure.error.slice(0, ERROR_CHARS);
  const said = await persist(world, signal, () =>
    issue(world, itemId, { type: 'FailTurn', ...fence, ...failure, error }),
  );
  world.log('turn failed', { item: itemId, code: failure.code, ...(wasRefused(said) ? { refused: said.code } : {}) });
}
