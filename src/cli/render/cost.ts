import type { Forecast } from '../../coordinator/forecast.ts';
import type { Usage } from '../../core/model/outcome.ts';
import type { Cost, LimitUse, Share } from '../../engine/on-demand/cost-of.ts';
import { forecastText } from './forecast.ts';
import { count, money } from './money.ts';
import type { Paint } from './paint.ts';
import { table } from './table.ts';
import { wrapText } from './text.ts';
import { duration } from './when.ts';
import { plural } from './words.ts';

interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

const SAY: Readonly<Record<LimitUse['what'], (value: number) => string>> = {
  requests: String,
  tokens: count,
  costMicros: money,
  wallMs: duration,
};

const NAME: Readonly<Record<LimitUse['what'], string>> = {
  requests: 'requests',
  tokens: 'tokens',
  costMicros: 'money',
  wallMs: 'time of Runs',
};

const NEARLY = 0.8;

/** `$1.20 of $5.00`, `$1.20, no limit`; amber from four fifths on. */
export function limitText({ what, limit, used, reserved }: LimitUse, paint: Paint): string {
  const say = SAY[what];
  const open = reserved > 0 ? `, ${say(reserved)} reserved` : '';
  if (limit === null) return `${say(used)}${open}, no limit`;
  const text = `${say(used)} of ${say(limit)}${open}`;
  return used >= limit * NEARLY ? paint.amber(text) : text;
}

const limitLines = ({ limits, runRequests, attempts }: Cost, { paint }: Look): readonly string[] => [
  ...limits.map((each) => `${NAME[each.what].padEnd(13)} ${limitText(each, paint)}`),
  paint.dim(`${'each Run'.padEnd(13)} at most ${runRequests} requests; each Action at most ${attempts} attempts`),
];

/** Money of a share; what has no price is said and never counted as nothing. */
export function shareMoney({
  costMicros,
  unpriced,
  requests,
}: Pick<Share, 'costMicros' | 'unpriced' | 'requests'>): string {
  if (unpriced === 0) return money(costMicros);
  return unpriced >= requests ? 'unpriced' : `${money(costMicros)} + unpriced`;
}

const COLUMNS = [
  { title: '', grow: true, min: 12 },
  { title: 'cost', align: 'right' as const },
  { title: 'requests', align: 'right' as const },
  { title: 'input', align: 'right' as const },
  { title: 'output', align: 'right' as const },
  { title: 'cached', align: 'right' as const },
  { title: 'to cache', align: 'right' as const },
  { title: 'reasoning', align: 'right' as const },
];

/** Names of models are long: beside them stands what is asked first, not every kind of token. */
const MODEL_COLUMNS = COLUMNS.slice(0, 5);

const cells = (share: Share) =>
  [
    share.name,
    shareMoney(share),
    String(share.requests),
    count(share.input),
    count(share.output),
    count(share.cacheRead),
    count(share.cacheWrite),
    count(share.reasoning),
  ].map((text) => ({ text }));

const shareLines = (shares: readonly Share[], shown: typeof COLUMNS, { columns, paint }: Look): readonly string[] =>
  table(
    shown,
    shares.map((share) => cells(share).slice(0, shown.length)),
    columns - 2,
    paint.dim,
  );

/** What the sums leave out, or only estimate. */
function caveats({ total, unmetered, cut }: Cost, { paint }: Look): readonly string[] {
  const lines: string[] = [];
  if (total.unpriced > 0)
    lines.push(`${plural(total.unpriced, 'request')} of models without a price: their money is not in the sum.`);
  if (total.uncertain > 0)
    lines.push(`${plural(total.uncertain, 'request')} whose end nobody knows: charged at the estimate.`);
  if (unmetered.length > 0) lines.push(`Unmetered, since commands report no use: ${unmetered.join(', ')}.`);
  if (cut) lines.push('Only the newest requests are added up here; the limits count all.');
  return lines.map(paint.amber);
}

const actualText = (usage: Usage): string =>
  `${shareMoney(usage)} · ${count(usage.tokens)} tokens · ${plural(usage.requests, 'request')} · ${duration(usage.wallMs)} of Runs`;

/** Limits, who used what, and how that compares with the forecast. */
export function costText(cost: Cost, usage: Usage, forecast: Forecast, look: Look): string {
  const { bold } = look.paint;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Used', limitLines(cost, look)],
    [
      'By whom',
      cost.byWho.length === 0 ? ['no model was asked yet'] : shareLines([...cost.byWho, cost.total], COLUMNS, look),
    ],
    [
      'By model',
      cost.byModel.length < 2 ? cost.byModel.map(({ name }) => name) : shareLines(cost.byModel, MODEL_COLUMNS, look),
    ],
    ['Forecast', wrapText(forecastText(forecast), look.columns - 2)],
    ['So far', [actualText(usage)]],
    ['To be read with it', caveats(cost, look)],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  return shown.map(([title, lines]) => [bold(title), ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n');
}
