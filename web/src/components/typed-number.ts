/** Digits in groups of three after the first; what follows the other mark is a fraction: "1,000", "1.000.000,5". */
const BY_COMMAS = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const BY_DOTS = /^[1-9]\d{0,2}(\.\d{3}){2,}(,\d+)?$|^[1-9]\d{0,2}\.\d{3},\d+$/;
const PLAIN = /^\d+([.,]\d+)?$/;
/** The same mark before each group: "1 5" is two numbers, or a slip. */
const BY_GAPS = /^[1-9]\d{0,2}([\s_’'])\d{3}(\1\d{3})*([.,]\d+)?$/;

/** "1.000" is one, or a thousand, depending on where somebody grew up. */
const EITHER = /^[1-9]\d{0,2}\.\d{3}$/;

/** Whether a number may be meant as one a thousand times as large. */
export const isAmbiguous = (typed: string): boolean => EITHER.test(typed.trim());

/**
 * A number as people type it, in the languages of the page: thousands apart by commas or spaces, a fraction behind a
 * dot; also the other way round where it cannot be anything else. Undefined where it is no number.
 */
export function numberOf(typed: string): number | undefined {
  const said = typed.trim();
  const text = BY_GAPS.test(said) ? said.replaceAll(/[\s_’']/g, '') : said;
  if (BY_COMMAS.test(text)) return Number(text.replaceAll(',', ''));
  if (BY_DOTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return PLAIN.test(text) ? Number(text.replace(',', '.')) : undefined;
}
