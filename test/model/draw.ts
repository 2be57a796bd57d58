/** Numbers that look random and repeat exactly for one seed. */
export interface Draw {
  /** A whole number of 0..limit-1. */
  readonly below: (limit: number) => number;
  /** True in `percent` of a hundred cases. */
  readonly chance: (percent: number) => boolean;
  /** One of a list that has something in it. */
  readonly of: <T>(list: readonly T[]) => T;
}

/** A 32-bit generator with one word of state: enough to choose commands, and the same on every machine. */
export function drawFrom(seed: number): Draw {
  let word = seed >>> 0;
  const next = (): number => {
    word = (word + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (percent) => below(100) < percent,
    of: (list) => {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

/** The seed a person asks for with WC_SEED, or the one given. */
export function seedOr(given: number): number {
  const asked = Number(process.env.WC_SEED);
  return Number.isInteger(asked) && asked > 0 ? asked : given;
}
