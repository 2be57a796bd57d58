import { z } from '@hono/zod-openapi';

const amount = z.number();
const micros = amount.openapi({ description: 'Millionths of a US dollar.' });

const SHARE = z
  .object({
    name: z.string().openapi({ description: '`all`, `coordinator`, an Action, or a model.' }),
    requests: amount,
    tokens: amount.openapi({ description: 'As charged: cache reads weigh what they cost.' }),
    costMicros: micros,
    unpriced: amount.openapi({ description: 'Requests without a price; their money is not in the sum.' }),
    uncertain: amount.openapi({ description: 'Requests whose end nobody knows, charged by estimate.' }),
    input: amount,
    output: amount,
    cacheRead: amount,
    cacheWrite: amount,
    reasoning: amount,
  })
  .openapi('CostShare');

const RANGE = z.object({ low: amount, median: amount, high: amount });

export const FORECAST = z
  .object({
    basis: z.enum(['similar', 'all', 'default']).openapi({ description: 'Finished items it rests on, or none.' }),
    n: amount,
    tokens: RANGE,
    requests: RANGE,
    wallMs: RANGE,
    costMicros: RANGE.nullable(),
  })
  .openapi('Forecast');

export const COST = z
  .object({
    limits: z.array(
      z.object({
        what: z.enum(['requests', 'tokens', 'costMicros', 'wallMs']),
        limit: amount.nullable(),
        used: amount,
        reserved: amount,
      }),
    ),
    runRequests: amount,
    attempts: amount,
    total: SHARE,
    byWho: z.array(SHARE),
    byModel: z.array(SHARE),
    unmetered: z.array(z.string()).openapi({ description: 'Actions with Runs that report nothing themselves.' }),
    cut: z.boolean().openapi({ description: 'Only the newest 20,000 requests were added up.' }),
    uncertain: z.array(
      z.object({
        id: z.string(),
        model: z.string(),
        charge: z.object({ tokens: amount, costMicros: micros.nullable() }),
      }),
    ),
    forecast: FORECAST,
  })
  .openapi('Cost');
