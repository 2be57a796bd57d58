import type { CommandBody } from '../core/command.ts';
import { dueAt } from '../core/derive/due.ts';
import { sentenceOf } from '../core/derive/sentence.ts';
import type { ItemState } from '../core/model/item.ts';
import { isFresh } from '../engine/embedded.ts';
import { actionNamed } from './actions.ts';
import { answer, type Failure, isFailure, type Outcome } from './answer.ts';
import { type App, command, withItem } from './app.ts';
import { argument, type Input } from './options.ts';
import { oneLine } from './render/text.ts';
import { itemReport } from './report.ts';
import type { Shell } from './shell.ts';

/** What a person wants done, and the sentence that says it was. */
interface Change {
  readonly body: CommandBody;
  readonly said: string;
}

export const STRANDED = 'Nothing carries it now. Carry on: workcenter up';

/** Work is due and no engine is there to do it. */
export async function isStranded(app: App, state: ItemState): Promise<boolean> {
  if (dueAt(state) === null) return false;
  const now = app.shell.now();
  return !(await app.store.workers()).some((worker) => isFresh(worker, now));
}

/** What a command that changed an item says: what it did, how the item stands, and who goes on with it. */
export async function changed(app: App, result: ItemState | Failure, said: string): Promise<Outcome> {
  if (isFailure(result)) return result;
  const runs = await app.store.runs(result.id, { limit: 1_000 });
  const next = (await isStranded(app, result)) ? [STRANDED] : [];
  const text = [said, oneLine(sentenceOf(result)), ...next].join('\n');
  return answer(text, itemReport(result, runs));
}

/** Does one thing to the item that the first argument names. */
export const changeItem = (shell: Shell, input: Input, change: (state: ItemState) => Change): Promise<Outcome> =>
  withItem(shell, argument(input, 0), async (app, state) => {
    const { body, said } = change(state);
    return changed(app, await command(app, state.id, body), said);
  });

/** Addresses an Action as it is now: a command that was decided on an older generation is refused (D5). */
type ActionFence = { readonly actionId: string; readonly generation: number };

/** Does one thing to the Action that the second argument names, of the item that the first one names. */
export const changeAction = (
  shell: Shell,
  input: Input,
  change: (fence: ActionFence) => Change | Failure,
): Promise<Outcome> =>
  withItem(shell, argument(input, 0), async (app, state) => {
    const action = actionNamed(state, argument(input, 1));
    if (isFailure(action)) return action;
    const wanted = change({ actionId: action.id, generation: action.generation });
    if (isFailure(wanted)) return wanted;
    return changed(app, await command(app, state.id, wanted.body), wanted.said);
  });
