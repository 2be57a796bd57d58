/**
 * Building blocks of the schema. Every one carries in `error` what it expects: that text becomes the `expected` of a
 * problem, so it has to read well after the word "expected".
 */
import { z } from 'zod';
import { DURATION_PATTERN, durationSec } from './duration.ts';

/** A text that says something; `maxChars` counts without the white space around it. */
export function text(expected: string, maxChars?: number) {
  const filled = z.string({ error: expected }).regex(/\S/, expected);
  if (maxChars === undefined) return filled;
  return filled
    .refine((value) => value.trim().length <= maxChars, `1..${maxChars} characters`)
    .meta({ maxLength: maxChars });
}

export function whole(min: number, max: number) {
  const range = `${min}..${max}`;
  return z.int({ error: range }).min(min, range).max(max, range);
}

/** Seconds as a number, or `90s`, `15m`, `2h`, `1d`. */
export function duration(minSec: number, maxSec: number) {
  const range = `${minSec}..${maxSec}`;
  const form = `${range} seconds, or a duration such as 90s, 15m or 2h`;
  const inRange = (value: string): boolean => {
    const seconds = durationSec(value);
    return seconds === undefined || (seconds >= minSec && seconds <= maxSec);
  };
  return z.union(
    [
      whole(minSec, maxSec),
      z.string({ error: form }).regex(DURATION_PATTERN, form).refine(inRange, `${range} seconds`),
    ],
    { error: form },
  );
}

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: sayValues(values) });

const sayValues = (values: readonly string[]): string =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** A list, or its only entry without the list around it. */
export const oneOrMany = (expected: string, maxEntries = 64) =>
  z.union(
    [
      text(expected),
      z.array(text(expected), { error: `${expected}, or a list` }).max(maxEntries, `at most ${maxEntries}`),
    ],
    { error: `${expected}, or a list` },
  );

export const identifier = (maxChars: number) =>
  z
    .string({ error: 'lower-case letters, digits, - and _' })
    .regex(
      new RegExp(`^[a-z0-9][a-z0-9_-]{0,${maxChars - 1}}$`),
      `lower-case letters, digits, - and _, at most ${maxChars}`,
    );

/** Names the engine sets itself are refused rather than silently overruled. */
export const environment = () =>
  z.record(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
      .regex(/^(?!WORKCENTER_)/, 'a name that does not begin with WORKCENTER_, which the engine sets'),
    z.string({ error: 'a text' }),
    { error: 'a mapping of names to texts' },
  );
