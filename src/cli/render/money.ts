/** `$1.25`, `$0.0042`, `<$0.0001`, `$0`: millionths of a US dollar, with as many digits as say something. */
export function money(micros: number): string {
  if (micros === 0) return '$0';
  if (micros < 100) return '<$0.0001';
  const dollars = micros / 1_000_000;
  return `$${dollars.toFixed(dollars < 0.095 ? 4 : 2)}`;
}

/** `950`, `12.3k`, `2.41M`. */
export function count(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(2)}M`;
}
