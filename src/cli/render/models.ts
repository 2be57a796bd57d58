import type { Catalogue, ProviderEntry } from '../../model/catalogue.ts';
import type { Price } from '../../model/price-table.ts';
import { type Failure, isFailure } from '../answer.ts';
import type { CoordinatorModel } from '../configuration.ts';
import type { Paint } from './paint.ts';
import { table } from './table.ts';
import { oneLine } from './text.ts';

interface Look {
  readonly columns: number;
  readonly paint: Paint;
}

function keyWords({ keyEnv, keyPresent, problem }: ProviderEntry): string {
  if (keyEnv === null) return problem === null ? 'needs no key' : '–';
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

const tagLines = ({ tags }: Catalogue, { paint }: Look): readonly string[] =>
  tags.flatMap(({ tag, model }) => {
    const name = tag.padEnd(9);
    if (model.kind === 'model') return [`${name} ${model.ref}${model.source === 'settings' ? '  (settings)' : ''}`];
    return [
      `${name} ${paint.amber('none')}: ${model.expected} is expected, found ${model.found}`,
      paint.dim(`          ${model.next}`),
    ];
  });

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
  return [paint.amber(`none: ${coordinator.expected ?? coordinator.message}`)];
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
