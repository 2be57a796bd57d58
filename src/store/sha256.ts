import { createHash } from 'node:crypto';

/** Lower-case hexadecimal SHA-256 of a UTF-8 text, or of bytes. */
export const sha256Hex = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

export const toBytes = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
