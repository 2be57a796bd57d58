import { wallClock } from '../../core/derive/budget.ts';
import { goalOf } from '../../core/derive/goal.ts';
import { sentenceOf } from '../../core/derive/sentence.ts';
import type { ActionState } from '../../core/model/action.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { RunRow } from '../../store/rows.ts';
import type { EntryRow } from '../../store/talk-rows.ts';
import { entryLine } from './conversation.ts';
import { shareMoney } from './cost.ts';
import { actionGlyph, actionState } from './item.ts';
import { proofBar } from './proof.ts';
import { table } from './table.ts';
import { tailLines } from './tail.ts';
import { oneLine, pad, shorten, widthOf, wrapText } from './text.ts';
import type { View } from './view.ts';
import { duration } from './when.ts';

export interface LiveView extends View {
  readonly rows: number;
  /** Last output of each live Run, by Run id. */
  readonly tails: ReadonlyMap<string, string>;
  /** The last words of the conversation, oldest first. */
  readonly entries?: readonly EntryRow[];
}

function headLine(state: ItemState, view: LiveView): string {
  const { columns, paint } = view;
  const title = shorten(oneLine(state.contract.title), columns - widthOf(state.id) - 2);
  return `${paint.bold(pad(title, columns - widthOf(state.id)))}${paint.dim(state.id)}`;
}

function proofLine(state: ItemState, view: LiveView): string {
  const { paint, now } = view;
  const goal = goalOf(state);
  const elapsed = duration(Math.max(0, (state.endedAt ?? now) - (state.startedAt ?? state.createdAt)));
  const { limitSec } = wallClock(state);
  const live = state.runs.reduce((sum, run) => sum + Math.max(0, now - run.startedAt), 0);
  const limit = limitSec === null ? '' : ` of ${duration(limitSec * 1000)}`;
  const used = `${duration(state.usage.wallMs + live)}${limit} of Runs`;
  const cost = state.usage.requests === 0 ? '' : ` · ${shareMoney(state.usage)}`;
  const facts = paint.dim(`elapsed ${elapsed} · ${used}${cost}`);
  return `${proofBar(goal, paint)}  ${goal.proven} of ${goal.total} proven   ${facts}`;
}

/** Running first, then what waits for a person, then the rest in plan order. */
const RANK: Readonly<Record<ActionState['status'], number>> = {
  running: 0,
  waiting: 1,
  failed: 1,
  ready: 2,
  completed: 3,
  closed: 4,
  superseded: 4,
  cancelled: 4,
};

/** Which Actions to show where not all of them fit: the ones that move, in plan order. */
function chosen(actions: readonly ActionState[], room: number): readonly ActionState[] {
  if (actions.length <= room) return actions;
  const important = [...actions].sort((a, b) => RANK[a.status] - RANK[b.status]).slice(0, Math.max(1, room - 1));
  return actions.filter((action) => important.includes(action));
}

function actionBlock(state: ItemState, runs: readonly RunRow[], view: LiveView, room: number): readonly string[] {
  const { paint, columns, now, tails } = view;
  const shown = chosen(state.actions, room);
  const rows = shown.map((action) => [
    { text: action.id },
    { text: action.spec.name === action.id ? '' : oneLine(action.spec.name), paint: paint.dim },
    { text: actionState(action, state, runs, now) },
  ]);
  const sizes = [
    { title: '', max: 24 },
    { title: '', grow: true, min: 10 },
    { title: '', max: 36 },
  ];
  const lines = table(sizes, rows, columns - 4);
  const live = shown.filter((action) => action.status === 'running').length;
  const each = live === 0 ? 0 : Math.max(0, Math.min(3, Math.floor((room - shown.length) / live)));
  const hidden = state.actions.length - shown.length;
  const body = shown.flatMap((action, index) => {
    const tail =
      action.runId === undefined || each === 0 ? [] : tailLines(tails.get(action.runId) ?? '', columns - 6, each);
    return [
      `  ${actionGlyph(action, state, paint)} ${lines[index] ?? ''}`,
      ...tail.map((line) => `      ${paint.dim(line)}`),
    ];
  });
  return hidden === 0 ? body : [...body, paint.dim(`    and ${hidden} more`)];
}

const ENTRIES_SHOWN = 3;

/** What was said last, and what a person is asked: the rest of a conversation is a `show` away. */
function talkBlock(state: ItemState, view: LiveView): readonly string[] {
  const { paint, entries = [] } = view;
  const said = entries.slice(-ENTRIES_SHOWN).map((entry) => entryLine(entry, view));
  const asked = state.requests.map(
    ({ id, question }) =>
      `${paint.amber('?')} ${paint.blue(`workcenter answer ${state.id} ${id}`)}  ${oneLine(question)}`,
  );
  const lines = [...said, ...asked.slice(0, 2)];
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `  ${line}`)];
}

/** One screen: never more lines than the terminal has, never wider. */
export function liveFrame(state: ItemState, runs: readonly RunRow[], view: LiveView): readonly string[] {
  const sentence = wrapText(sentenceOf(state), view.columns);
  const talk = talkBlock(state, view);
  const fixed = 4 + sentence.length + talk.length;
  const block = actionBlock(state, runs, view, Math.max(3, view.rows - fixed - 1));
  const lines = [headLine(state, view), proofLine(state, view), '', ...block, ...talk, '', ...sentence];
  return lines.slice(0, view.rows - 1).map((line) => shorten(line, view.columns));
}
