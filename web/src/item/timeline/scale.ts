/** What of a picture says where an instant stands. */
export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** Where an instant stands, in percent of the whole. */
export const placeOf = ({ from, to }: Scale, at: number): number => ((at - from) / (to - from)) * 100;

const DAY = 86_400_000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
);
const MOST_TICKS = 6;

/** Round instants to write below the picture, a handful of them. */
export function ticksOf({ from, to }: Scale, most = MOST_TICKS): readonly number[] {
  const whole = STEPS.find((step) => (to - from) / step <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const first = Math.ceil(from / whole) * whole;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / whole) + 1) }, (_, n) => first + n * whole);
}

const SECOND = 1_000;
const STEPS_OF_NOW = 600;

/** Now, as finely as a picture of this length can show it: a long one need not be drawn anew each second. */
export const shownNow = (from: number, now: number): number => {
  const seconds = (now - from) / SECOND;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(seconds / STEPS_OF_NOW)));
  return from + Math.floor(seconds / step) * step * SECOND;
};
