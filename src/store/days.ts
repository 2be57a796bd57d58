const DAY_MS = 86_400_000;

/** The UTC day of an instant: days since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);
