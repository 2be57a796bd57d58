const UNITS: Readonly<Record<string, number>> = Object.freeze({ s: 1, m: 60, h: 3_600, d: 86_400 });

/** `90s`, `15m`, `2h`, `1d`; whole numbers only. */
export const DURATION_PATTERN = /^(\d{1,9})\s*([smhd])$/;

/** Seconds of a duration as a plan file writes it; undefined when it is none. Numbers are seconds. */
export function durationSec(value: number | string): number | undefined {
  if (typeof value === 'number') return value;
  const [, amount, unit] = DURATION_PATTERN.exec(value.trim()) ?? [];
  const factor = unit === undefined ? undefined : UNITS[unit];
  return factor === undefined ? undefined : Number(amount) * factor;
}
