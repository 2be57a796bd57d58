import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 4;
/** So long a secret cannot be guessed or looked up, so that a fast hash protects it. */
const SECRET_BYTES = 32;
const FORM = /^wc_([0-9a-f]{8})_([A-Za-z0-9_-]{43})$/;
/** The same anywhere in a text. */
const ANYWHERE = /wc_[0-9a-f]{8}_[A-Za-z0-9_-]{43}/;

/** What is kept of a token: enough to recognise it, not enough to use it. */
export interface TokenPrint {
  readonly id: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly hash: string;
}

export interface MintedToken extends TokenPrint {
  /** `wc_<id>_<secret>`; told once and kept nowhere. */
  readonly token: string;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function mintToken(): MintedToken {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { id, hash: hashOf(secret), token: `wc_${id}_${secret}` };
}

/** Undefined for a text that has not the form of a token. */
export function printOf(text: string): TokenPrint | undefined {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) };
}

export const holdsToken = (text: string): boolean => ANYWHERE.test(text);

/** Takes as long for a wrong secret as for the right one. */
export const isSamePrint = (one: TokenPrint, other: TokenPrint): boolean =>
  one.id === other.id && timingSafeEqual(Buffer.from(one.hash, 'hex'), Buffer.from(other.hash, 'hex'));
