import { randomBytes } from 'node:crypto';
import { invalid, type WebhookRefusal } from './refusal.ts';

const BYTES = 32;
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** `whsec_` and 32 random bytes in base64, as Standard Webhooks has them. */
export const newSecret = (): string => `whsec_${randomBytes(BYTES).toString('base64')}`;

/** A secret of somebody's own, or why it is none; its text is not repeated. */
export function ownSecret(text: string): string | WebhookRefusal {
  const secret = text.trim();
  const [, base64 = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? [];
  const bytes = Buffer.from(base64, 'base64').length;
  if (bytes >= LEAST_BYTES && bytes <= MOST_BYTES) return secret;
  const expected = `whsec_ and ${LEAST_BYTES}..${MOST_BYTES} bytes in base64`;
  const found = base64 === '' ? 'another form' : `${bytes} bytes`;
  return invalid('That is no secret to sign with.', expected, found, 'Leave it out and one is made.');
}
