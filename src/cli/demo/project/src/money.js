/** Amounts are whole cents, so that sums are exact. Credit notes are negative. */

const PATTERN = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** Whole cents of a text such as `12.5`, `-3` or `0.07`. */
export function readMoney(text) {
  const [, sign, units, fraction = ''] = PATTERN.exec(text.trim()) ?? [];
  if (units === undefined) throw new RangeError(`not an amount: ${text}`);
  const cents = Number(units) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** Rounds to whole cents; half a cent goes away from zero, as the tax office wants it. */
export function roundCents(cents) {
  return Math.round(cents);
}

/** Shares an amount in whole cents by weight; the parts add up to the whole. */
export function shareOut(cents, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = cents;
  let weightLeft = total;
  return weights.map((weight) => {
    const part = weightLeft === 0 ? 0 : roundCents((left * weight) / weightLeft);
    left -= part;
    weightLeft -= weight;
    return part;
  });
}

/** `1234567` as `12,345.67`. */
export function writeMoney(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}${units}.${digits.slice(-2)}`;
}
