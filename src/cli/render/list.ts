import type { ListPage } from '../../store/store.ts';
import type { Paint } from './paint.ts';
import { countBar } from './proof.ts';
import { table } from './table.ts';
import { indent, oneLine, shorten, wrapText } from './text.ts';
import { ago, iso } from './when.ts';

export interface ListView {
  readonly now: number;
  readonly columns: number;
  readonly paint: Paint;
  readonly filtered: boolean;
}

const EMPTY = `Nothing here yet. Three ways to begin:

  workcenter demo                   see it work, without a key or an account
  workcenter new "GOAL" --watch     state a goal for the project in this directory
  workcenter init                   write a plan for it, which needs no model`;

const LANES = [
  ['needs_you', 'needs you'],
  ['active', 'active'],
  ['done', 'done'],
  ['draft', 'drafts'],
] as const;

const countLine = (page: ListPage, paint: Paint): string =>
  LANES.map(([lane, word]) => {
    const text = `${page.counts[lane]} ${word}`;
    return lane === 'needs_you' && page.counts[lane] > 0 ? paint.amber(text) : text;
  }).join(paint.dim(' · '));

/** Cards as lines: title and proof first, the status sentence under them. */
export function listText(page: ListPage, view: ListView): string {
  const { now, columns, paint, filtered } = view;
  const total = Object.values(page.counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return EMPTY;
  if (page.items.length === 0)
    return `${countLine(page, paint)}\n\n${filtered ? 'None of them fits.' : 'None is open.'} workcenter ls --all shows every one.`;
  const widest = Math.min(12, Math.max(...page.items.map((item) => item.total)));
  const rows = page.items.map((item) => [
    { text: item.id, paint: paint.blue },
    { text: oneLine(item.title), paint: paint.bold },
    { text: `${item.proven}/${item.total}` },
    { text: ago(item.updatedAt, now), paint: paint.dim },
  ]);
  const sizes = [
    { title: '' },
    { title: '', grow: true, min: 12 },
    { title: '', align: 'right' as const },
    { title: '' },
  ];
  const lines = table(sizes, rows, columns - widest - 2);
  const body = page.items.flatMap((item, index) => {
    const bar = item.total <= 12 ? countBar(item.proven, item.total, paint) : '';
    const sentence = item.quarantined === undefined ? item.statusSentence : `Cannot be read: ${item.quarantined}`;
    const [first = ''] = wrapText(oneLine(sentence), columns * 4);
    const words = shorten(first, columns - 4);
    const marked = item.lane === 'needs_you' ? paint.amber(words) : words;
    return [`${lines[index] ?? ''}  ${bar}`.trimEnd(), ...indent([marked], '    ')];
  });
  const open = page.counts.needs_you + page.counts.active + page.counts.draft;
  const left = filtered ? 0 : open - page.items.length;
  const rest = left > 0 ? ['', paint.dim(`and ${left} more: workcenter ls --limit, --lane or --search`)] : [];
  const more = page.nextCursor === undefined ? [] : ['', paint.dim(`more: workcenter ls --cursor ${page.nextCursor}`)];
  return [countLine(page, paint), '', ...body, ...rest, ...more].join('\n');
}

export const listJson = (page: ListPage): unknown => ({
  counts: page.counts,
  items: page.items.map(({ createdAt, updatedAt, ...item }) => ({
    ...item,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  })),
  nextCursor: page.nextCursor ?? null,
});
