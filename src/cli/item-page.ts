import type { ItemState } from '../core/model/item.ts';
import type { App } from './app.ts';
import { decidedJson, entryJson } from './render/conversation.ts';
import { itemText } from './render/item.ts';
import type { View } from './render/view.ts';
import { itemReport } from './report.ts';
import { talkOf } from './talk.ts';

const MOST_RUNS = 1_000;

/** The whole page of an item, for people and for programs: what `show`, `watch` and `run` end with. */
export async function itemPage(app: App, state: ItemState, view: View) {
  const runs = await app.store.runs(state.id, { limit: MOST_RUNS });
  const talk = await talkOf(app, state);
  const json = {
    ...itemReport(state, runs),
    conversation: talk.entries.map(entryJson),
    decisions: talk.decisions.map(decidedJson),
  };
  return { text: itemText(state, runs, view, talk), json };
}
