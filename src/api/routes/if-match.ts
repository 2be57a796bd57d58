import { z } from '@hono/zod-openapi';
import type { Refusal } from '../problem.ts';

/** The header of a change that is made against what was read (D33). */
export const IF_MATCH = z.object({
  'if-match': z.string().max(32).openapi({ description: 'The version that was read, in quotes: "3".' }),
});

/** The version that a tag names; undefined where it names none. */
export function versionOf(tag: string): number | undefined {
  const [, digits] = /^"(\d{1,9})"$/.exec(tag.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export const notAVersion = (found: string, read: string): Refusal => ({
  code: 'invalid_request',
  message: 'If-Match is no version of it.',
  expected: `the ETag of GET ${read}, such as "3"`,
  found,
});
