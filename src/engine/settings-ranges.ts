/** What the scalars of an installation may be; both ends belong to it. */
export const SETTING_RANGES = Object.freeze({
  concurrency: [1, 64],
  minFreeBytes: [0, 1_000_000_000_000],
  shutdownMs: [1_000, 600_000],
} as const);
