import type { CommandBody, ItemState } from '../../core/index.ts';
import { issue, type World, wasRefused } from '../world.ts';

/** Issues what a step found out; false when it was refused, so that a refusal cannot become a loop. */
export async function send(world: World, state: ItemState, body: CommandBody): Promise<boolean> {
  const result = await issue(world, state.id, body);
  if (wasRefused(result)) world.log('step refused', { item: state.id, command: body.type, code: result.code });
  return !wasRefused(result);
}

/** Asks a person for what stands in the way of the delivery; `code` is stable. */
export const block = (
  world: World,
  state: ItemState,
  code: string,
  question: string,
  details: readonly string[] = [],
): Promise<boolean> => send(world, state, { type: 'BlockDelivery', code, question, details });
