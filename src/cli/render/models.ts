import type { Catalogue, ProviderEntry } from '../../model/catalogue.ts';
import type { Price } from '../../model/price-table.ts';
import { type Failure, isFailure } from '../answer.ts';
import type { CoordinatorModel } from '../configuration.ts';
import type { Paint } from './paint.ts';
import { table } from './table.ts';
import { oneLine, wrapText } from './text.ts';

interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

function keyWords({ keyEnv, keyPresent, problem }: ProviderEntry): string {
  if (keyEnv === null) return problem === null ? 'needs no key' : 'has no address';
  return keyPresent ? `${keyEnv} is set` : `${keyEnv} is not set`;
}

function providerLines({ providers }: Catalogue, { columns, paint }: Look): readonly string[] {
  const rows = providers.map((entry) => {
    const ready = entry.problem === null;
    const shape = { text: ready ? '●' : '○', paint: ready ? paint.green : paint.dim };
    return [
      shape,
      { text: entry.name },
      { text: keyWords(entry) },
      { text: oneLine(entry.baseUrl ?? ''), paint: paint.dim },
    ];
  });
  const sizes = [{ title: '' }, { title: '', max: 24 }, { title: '', max: 34 }, { title: '', grow: true, min: 12 }];
  return table(sizes, rows, columns - 2);
}

/** Each tag; what to do about one that means nothing is said once, since it is the same for all. */
function tagLines({ tags }: Catalogue, { paint, columns }: Look): readonly string[] {
  const lines = tags.map(({ tag, model }) => {
    const name = tag.padEnd(9);
    if (model.kind === 'model') return `${name} ${model.ref}${model.source === 'settings' ? '  (settings)' : ''}`;
    return `${name} ${paint.amber('none')}: ${model.found}`;
  });
  const [wrong] = tags.flatMap(({ model }) => (model.kind === 'model' ? [] : [model.next]));
  return wrong === undefined ? lines : [...lines, ...wrapText(wrong, columns - 4).map(paint.dim)];
}

const dollars = (rate: number): string => `$${rate}`;

const priceCells = (model: string, { input, output, cacheRead, cacheWrite }: Price, from: string) =>
  [
    model,
    dollars(input),
    dollars(output),
    dollars(cacheRead ?? input),
    dollars(cacheWrite ?? input),
    from === 'settings' ? 'yours' : '',
  ].map((text) => ({ text }));

const PRICE_COLUMNS = [
  { title: 'model', grow: true, min: 16 },
  { title: 'input', align: 'right' as const },
  { title: 'output', align: 'right' as const },
  { title: 'cache read', align: 'right' as const },
  { title: 'cache write', align: 'right' as const },
  { title: '' },
];

function priceLines({ prices }: Catalogue, { columns, paint }: Look): readonly string[] {
  const rows = prices.entries.map(({ model, price, from }) => priceCells(model, price, from));
  return table(PRICE_COLUMNS, rows, columns - 2, paint.dim);
}

function coordinatorLine(coordinator: CoordinatorModel | Failure, { paint }: Look): readonly string[] {
  if (!isFailure(coordinator)) return [`${coordinator.ref}${coordinator.priced ? '' : '  (no price known)'}`];
  return [`${paint.amber('none')}: expected ${coordinator.expected ?? coordinator.message}`];
}

/** Providers, what tags mean, what the Coordinator uses, and prices with their day. */
export function modelsText(catalogue: Catalogue, coordinator: CoordinatorModel | Failure, look: Look): string {
  const { bold } = look.paint;
  const { asOf, source } = catalogue.prices;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Providers', providerLines(catalogue, look)],
    ['Tags', tagLines(catalogue, look)],
    ['Coordinator', coordinatorLine(coordinator, look)],
    [`Prices in US dollars per million tokens, as of ${asOf}`, priceLines(catalogue, look)],
  ];
  const lines = parts.flatMap(([title, body]) => [bold(title), ...body.map((line) => `  ${line}`), '']);
  return [...lines, look.paint.dim(oneLine(source))].join('\n');
}
