import { z } from 'zod';
import { MODEL_TAGS, type ModelSettings, PROVIDER_KINDS } from './model-settings.ts';

const rate = z.number().min(0).max(100_000);
const rates = { input: rate, output: rate, cacheRead: rate.exactOptional(), cacheWrite: rate.exactOptional() };

const price = z.strictObject({
  ...rates,
  longPrompt: z.strictObject({ ...rates, overTokens: z.int().positive() }).exactOptional(),
});

const provider = z.strictObject({
  kind: z.enum(PROVIDER_KINDS),
  baseUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable, never the key itself')
    .exactOptional(),
});

const providerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected a name without a slash');
const modelRef = z.string().regex(/^[^/\s]+\/\S+$/, 'expected provider/model');

/** What settings may say about models; read with this, they can be trusted to be {@link ModelSettings}. */
export const modelSettingsSchema: z.ZodType<ModelSettings> = z.strictObject({
  tags: z.partialRecord(z.enum(MODEL_TAGS), modelRef).exactOptional(),
  providers: z.record(providerName, provider).exactOptional(),
  prices: z
    .record(z.string().regex(/^[^/\s]+\/\S+$|\*$/, 'expected provider/model or a prefix with *'), price)
    .exactOptional(),
});
