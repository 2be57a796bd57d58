import { dueAt } from '../core/derive/due.ts';
import { sentenceOf } from '../core/derive/sentence.ts';
import type { ItemState } from '../core/model/item.ts';
import { answer, type Failure, isFailure, type Outcome } from './answer.ts';
import type { App } from './app.ts';
import { oneLine } from './render/text.ts';
import { itemReport } from './report.ts';
import { isFresh } from './servers.ts';

/** Work is due and no engine is there to do it. */
async function isStranded(app: App, state: ItemState): Promise<boolean> {
  if (dueAt(state) === null) return false;
  const now = app.shell.now();
  return !(await app.store.workers()).some((worker) => isFresh(worker, now));
}

/** What a command that changed an item says: what it did, how the item stands, and who goes on with it. */
export async function changed(app: App, result: ItemState | Failure, said: string): Promise<Outcome> {
  if (isFailure(result)) return result;
  const runs = await app.store.runs(result.id, { limit: 1_000 });
  const next = (await isStranded(app, result)) ? ['Nothing carries it now. Carry on: workcenter up'] : [];
  const text = [said, oneLine(sentenceOf(result)), ...next].join('\n');
  return answer(text, itemReport(result, runs));
}
