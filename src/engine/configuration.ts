import { z } from 'zod';
import { DEFAULT_LIMITS, type Limits } from '../core/index.ts';
import { DEFAULT_POLICY, type Policy as Permissions, parsePolicy } from '../executors/agent/permissions/policy.ts';
import { isModelTag, type ModelPolicy, type ModelSettings, PROVIDER_KINDS } from '../model/index.ts';

const reference = z.string().min(3).max(200);
const rate = z.number().nonnegative();
const rates = { input: rate, output: rate, cacheRead: rate.optional(), cacheWrite: rate.optional() };
const dollars = z.number().positive().max(1_000_000);
const count = z.number().int().positive().max(1_000_000_000_000);

/**
 * What a person may set for the whole installation, beside the scalars of the command line; kept in the store under
 * compare-and-set, read live, and snapshotted into each Run.
 */
export const CONFIGURATION = z.strictObject({
  /** Where `new` looks when it is told no directory. */
  defaultDirectory: z.string().max(4_096).optional(),
  /** Told to every executor with a model. */
  globalInstructions: z.string().max(20_000).optional(),
  /** Told to executors of this type of Action only. */
  instructions: z.record(z.string(), z.string().max(20_000)).optional(),
  startImmediately: z.boolean().optional(),
  models: z
    .strictObject({
      tags: z
        .strictObject({ fast: reference.optional(), balanced: reference.optional(), ultimate: reference.optional() })
        .optional(),
      providers: z
        .record(
          z.string(),
          z.strictObject({
            kind: z.enum(PROVIDER_KINDS),
            baseUrl: z.string().optional(),
            keyEnv: z.string().optional(),
          }),
        )
        .optional(),
      /** Model (reference or tag) per type of Action; a VP's own hint goes first. */
      byType: z.record(z.string(), z.string()).optional(),
      coordinator: z.string().optional(),
    })
    .optional(),
  /** US dollars per million tokens, by model reference. */
  prices: z.record(z.string(), z.strictObject({ ...rates, asOf: z.string().optional() })).optional(),
  limits: z
    .strictObject({
      requests: count.optional(),
      tokens: count.optional(),
      runRequests: count.optional(),
      attempts: z.number().int().min(1).max(100).optional(),
      usd: dollars.optional(),
      wallClockSec: count.optional(),
      dailyTokens: count.optional(),
      dailyUsd: dollars.optional(),
      allowUnmetered: z.boolean().optional(),
    })
    .optional(),
  /** Rules for tool calls; see docs/permissions. */
  permissions: z.unknown().optional(),
  /** Hashes of project MCP configurations that the person trusts. */
  trustedMcp: z.array(z.string()).optional(),
  github: z.strictObject({ apiUrl: z.string().optional(), tokenEnv: z.string().optional() }).optional(),
});
export type Configuration = z.infer<typeof CONFIGURATION>;

const KEYS: ReadonlySet<string> = new Set(Object.keys(CONFIGURATION.shape));

/** The stored settings as far as they are ours; what cannot be read is left out, and `settings` says so. */
export function readConfiguration(stored: Readonly<Record<string, unknown>>): Configuration {
  const ours = Object.fromEntries(Object.entries(stored).filter(([key]) => KEYS.has(key)));
  const read = CONFIGURATION.safeParse(ours);
  return read.success ? read.data : {};
}

/** What the models layer wants to know of it. */
export const modelSettings = ({ models = {}, prices = {} }: Configuration): ModelSettings => ({
  ...(models.tags ? { tags: definedOnly(models.tags) } : {}),
  ...(models.providers
    ? {
        providers: Object.fromEntries(
          Object.entries(models.providers).map(([name, { kind, baseUrl, keyEnv }]) => [
            name,
            { kind, ...(baseUrl === undefined ? {} : { baseUrl }), ...(keyEnv === undefined ? {} : { keyEnv }) },
          ]),
        ),
      }
    : {}),
  prices: Object.fromEntries(Object.entries(prices).map(([model, price]) => [model, definedOnly(price)])),
});

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

const definedOnly = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;

/** `fast`, or `provider/model`. */
export const policyOf = (text: string): ModelPolicy => (isModelTag(text) ? { tag: text } : { ref: text });

/** Types that deserve the best model by default (chapter 2 §4.1). */
const DEMANDING: ReadonlySet<string> = new Set(['triage', 'research', 'design', 'diagnose', 'review']);
const LIGHT: ReadonlySet<string> = new Set(['document', 'deliver', 'write']);

/** The model of a type of Action where neither Action nor VP names one. */
export function modelOfType({ models }: Configuration, type: string): ModelPolicy {
  const byType = models?.byType ?? {};
  const named = Object.hasOwn(byType, type) ? byType[type] : undefined;
  if (named !== undefined) return policyOf(named);
  if (DEMANDING.has(type)) return { tag: 'ultimate' };
  return { tag: LIGHT.has(type) ? 'fast' : 'balanced' };
}

export const coordinatorModel = ({ models }: Configuration): ModelPolicy => policyOf(models?.coordinator ?? 'ultimate');

export const permissionsOf = ({ permissions }: Configuration): Permissions => {
  if (permissions === undefined) return DEFAULT_POLICY;
  const parsed = parsePolicy(permissions);
  return parsed.ok ? parsed.policy : DEFAULT_POLICY;
};

const MICROS = 1_000_000;

/** The limits that a new item is born with. */
export function limitsOf({ limits = {} }: Configuration): Limits {
  const { requests, tokens, runRequests, attempts, usd, wallClockSec, allowUnmetered } = limits;
  return {
    ...DEFAULT_LIMITS,
    ...(requests === undefined ? {} : { requests }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(runRequests === undefined ? {} : { runRequests }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(usd === undefined ? {} : { costMicros: Math.round(usd * MICROS) }),
    ...(wallClockSec === undefined ? {} : { wallClockSec }),
    ...(allowUnmetered === undefined ? {} : { allowUnmetered }),
  };
}

/** What one day may cost, over all items (D26). */
export const dailyLimitsOf = ({ limits = {} }: Configuration) => ({
  dailyTokens: limits.dailyTokens ?? null,
  dailyCostMicros: limits.dailyUsd === undefined ? null : Math.round(limits.dailyUsd * MICROS),
});
