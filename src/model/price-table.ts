/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Missing: as `input`, so that a cost is never said too low. */
  readonly cacheRead?: number;
  /** Missing: as `input`. */
  readonly cacheWrite?: number;
}

/** `longPrompt` replaces the rates of the whole request when its prompt has more tokens than `overTokens`. */
export interface Price extends Rates {
  readonly longPrompt?: Rates & Readonly<{ overTokens: number }>;
}

/** `provider/model`, or a prefix that ends in `*`, to its price. */
export type PriceTable = Readonly<Record<string, Price>>;

/** The day on which the table was compared with the published price lists. */
export const PRICES_AS_OF = '2026-11-30';

/** Where the prices come from; standard tier, five-minute cache writes, no batch or priority surcharge. */
export const PRICES_SOURCE =
  'Published price lists of Anthropic (platform.claude.com) and OpenAI (developers.openai.com); scripted/* is made up.';

/** Anthropic: a cache write costs 1.25 of the input, a read the given share of it. */
function claude(input: number, output: number, readShare = 0.1): Rates {
  return { input, output, cacheRead: exact(input * readShare), cacheWrite: exact(input * 1.25) };
}

/** OpenAI up to GPT-5.x: writing to the cache costs nothing extra. */
function gpt(input: number, output: number, cacheRead: number): Rates {
  return { input, output, cacheRead, cacheWrite: input };
}

/** OpenAI from GPT-6: cache writes at 1.25, and beyond 272,000 tokens of prompt twice the input and 1.5 of the output. */
function gpt6(input: number, output: number, cacheRead: number): Price {
  const rates = { input, output, cacheRead, cacheWrite: exact(input * 1.25) };
  return { ...rates, longPrompt: { overTokens: 272_000, ...doubled(rates) } };
}

function doubled(rates: Required<Rates>): Rates {
  return {
    input: rates.input * 2,
    output: exact(rates.output * 1.5),
    cacheRead: exact(rates.cacheRead * 2),
    cacheWrite: exact(rates.cacheWrite * 2),
  };
}

/** Without the dust of binary fractions. */
function exact(rate: number): number {
  return Number(rate.toFixed(4));
}

/** US dollars per million tokens. What is not in here is `unpriced` until settings price it. */
export const BUILT_IN_PRICES: PriceTable = Object.freeze({
  'anthropic/claude-fable-5-1': claude(10, 50, 0.025),
  'anthropic/claude-fable-5': claude(10, 50),
  'anthropic/claude-opus-5-5': claude(4, 20, 0.05),
  'anthropic/claude-opus-5': claude(5, 25),
  'anthropic/claude-opus-4-8': claude(5, 25),
  'anthropic/claude-opus-4-7': claude(5, 25),
  'anthropic/claude-opus-4-6': claude(5, 25),
  'anthropic/claude-opus-4-5': claude(5, 25),
  'anthropic/claude-opus-4-1': claude(15, 75),
  'anthropic/claude-sonnet-5-5': claude(2, 10, 0.05),
  'anthropic/claude-sonnet-5': claude(2, 10),
  'anthropic/claude-sonnet-4-6': claude(3, 15),
  'anthropic/claude-sonnet-4-5': claude(3, 15),
  'anthropic/claude-sonnet-4': claude(3, 15),
  'anthropic/claude-haiku-5-5': { ...claude(0.1, 0.5), longPrompt: { overTokens: 100_000, ...claude(0.5, 2.5) } },
  'anthropic/claude-haiku-4-5': claude(1, 5),
  'openai/gpt-6-astra': gpt6(10, 50, 1),
  'openai/gpt-6.1-sol': gpt6(2, 10, 0.1),
  'openai/gpt-6-sol': gpt6(2, 10, 0.2),
  'openai/gpt-6-luna': gpt6(0.1, 0.5, 0.01),
  'openai/gpt-5.4-mini': gpt(0.75, 4.5, 0.075),
  'openai/gpt-5.2': gpt(1.75, 14, 0.175),
  'openai/gpt-5.1': gpt(1.25, 10, 0.125),
  'openai/gpt-5': gpt(1.25, 10, 0.125),
  'openai/gpt-5-mini': gpt(0.25, 2, 0.025),
  'openai/gpt-5-nano': gpt(0.05, 0.4, 0.005),
  'openai/gpt-4.1': gpt(2, 8, 0.5),
  'openai/gpt-4.1-mini': gpt(0.4, 1.6, 0.1),
  'openai/gpt-4.1-nano': gpt(0.1, 0.4, 0.025),
  'openai/gpt-4o': gpt(2.5, 10, 1.25),
  'openai/gpt-4o-mini': gpt(0.15, 0.6, 0.075),
  'openai/o3': gpt(2, 8, 0.5),
  'openai/o4-mini': gpt(1.1, 4.4, 0.275),
  'scripted/*': claude(3, 15),
});
