import { canonical } from '../core/index.ts';
import type { ModelRequest } from './model-request.ts';
import type { TokenUsage } from './model-response.ts';
import { BUILT_IN_PRICES, type Price, type PriceTable, type Rates } from './price-table.ts';

export interface Charge {
  /** What a token limit counts: cache reads weigh what they cost beside plain input; rounded up. */
  readonly tokens: number;
  /** Millionths of a US dollar, rounded up; null for a model without a price, never 0 in its place. */
  readonly costMicros: number | null;
}

/** What a cache read weighs where no price says it. */
const CACHE_READ_WEIGHT = 0.1;

/** Rates become whole numbers of this part of a dollar, so that sums are exact. */
const RATE_SCALE = 10_000;

/** Dates and aliases that providers append to a model whose price stays the same. */
const SNAPSHOT = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * The price of `provider/model`. The user's table goes first; in each table the whole name, then the name without the
 * date of its snapshot, then the longest prefix.
 */
export function priceOf(model: string, prices: PriceTable = {}): Price | undefined {
  return lookUp(model, prices) ?? lookUp(model, BUILT_IN_PRICES);
}

/** What reported tokens cost (D26). */
export function chargeOf(model: string, usage: TokenUsage, prices: PriceTable = {}): Charge {
  const price = priceOf(model, prices);
  const rates = price && ratesFor(price, usage.input + usage.cacheRead + usage.cacheWrite);
  const weight = rates ? cacheReadWeight(rates) : CACHE_READ_WEIGHT;
  const scaledReads = usage.cacheRead * Math.round(weight * RATE_SCALE);
  const tokens = usage.input + usage.output + usage.cacheWrite + Math.ceil(scaledReads / RATE_SCALE);
  return { tokens, costMicros: rates ? costOf(rates, usage) : null };
}

/**
 * What a request is reserved at before it is sent (D26): three bytes to a token, and all the output it may have.
 * Input counts at the dearest way it can be charged, a cache write.
 */
export function estimateOf(request: ModelRequest, prices: PriceTable = {}): Charge {
  const { system, messages, tools } = request;
  const input = Math.ceil(Buffer.byteLength(canonical({ system, messages, tools }), 'utf8') / 3);
  const output = Math.max(1, request.maxOutputTokens);
  const price = priceOf(request.model, prices);
  if (!price) return { tokens: input + output, costMicros: null };
  const rates = ratesFor(price, input);
  const dearest = Math.max(rates.input, rates.cacheWrite ?? 0);
  const usage = { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { tokens: input + output, costMicros: costOf({ ...rates, input: dearest }, usage) };
}

function lookUp(model: string, table: PriceTable): Price | undefined {
  const exact = entry(table, model) ?? entry(table, model.replace(SNAPSHOT, ''));
  if (exact) return exact;
  const prefixes = Object.keys(table).filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)));
  const longest = prefixes.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table[longest];
}

function entry(table: PriceTable, name: string): Price | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function ratesFor(price: Price, promptTokens: number): Rates {
  const long = price.longPrompt;
  return long !== undefined && promptTokens > long.overTokens ? long : price;
}

function cacheReadWeight(rates: Rates): number {
  if (rates.cacheRead === undefined || rates.input <= 0) return CACHE_READ_WEIGHT;
  return Math.min(1, rates.cacheRead / rates.input);
}

/** Dollars per million tokens are millionths of a dollar per token. */
function costOf(rates: Rates, usage: TokenUsage): number {
  const scaled =
    usage.input * scaledRate(rates.input) +
    usage.output * scaledRate(rates.output) +
    usage.cacheRead * scaledRate(rates.cacheRead ?? rates.input) +
    usage.cacheWrite * scaledRate(rates.cacheWrite ?? rates.input);
  return Math.ceil(scaled / RATE_SCALE);
}

const scaledRate = (rate: number): number => Math.ceil(Number((rate * RATE_SCALE).toFixed(3)));
