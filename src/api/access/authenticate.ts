import type { Store } from '../../store/store.ts';
import type { Refusal } from '../problem.ts';
import type { Access } from './access.ts';
import type { Caller } from './caller.ts';
import { isSamePrint, printOf } from './token.ts';
import { findToken, stateOf, type TokenRecord, touchToken } from './token-records.ts';

type TokenRefusal = Refusal & { readonly code: 'token_invalid' | 'token_expired' | 'token_revoked' };

/** Whoever the header names, or why it names nobody. No answer repeats what was sent. */
export type Named =
  | { readonly type: 'caller'; readonly caller: Caller }
  | { readonly type: 'refused'; readonly refusal: TokenRefusal };

export interface AuthenticateDeps extends Pick<Access, 'fileToken' | 'ownToken' | 'now'> {
  readonly store: Store;
}

const NEXT = 'workcenter token add NAME makes another one.';
const INVALID: TokenRefusal = {
  code: 'token_invalid',
  message: 'This token is not one of this server.',
  expected: 'Authorization: Bearer wc_ID_SECRET, as workcenter token add printed it',
  next: NEXT,
};

const refused = (refusal: TokenRefusal): Named => ({ type: 'refused', refusal });

const callerOf = ({ id, name, authority, scopes }: TokenRecord): Caller => ({
  principal: { kind: authority, name },
  scopes,
  tokenId: id,
});

/** Whoever runs the server, with every scope. */
const owner = (name: string, id: string): Caller => ({
  principal: { kind: 'user', name },
  scopes: ['admin'],
  tokenId: id,
});

const ended = (code: 'token_expired' | 'token_revoked', name: string, at: number): TokenRefusal => ({
  code,
  message: `The token ${name} ${code === 'token_expired' ? 'has expired' : 'was revoked'}.`,
  expected: 'a valid token',
  found: new Date(at).toISOString(),
  next: NEXT,
});

/**
 * Judges an `Authorization` header. Only who holds the right secret learns that a token has expired or was revoked; a
 * wrong one and an unknown one look alike.
 */
export async function authenticate(
  header: string,
  { store, fileToken, ownToken, now }: AuthenticateDeps,
): Promise<Named> {
  const [, text = ''] = /^Bearer +(\S+)$/i.exec(header.trim()) ?? [];
  const print = printOf(text);
  if (!print) return refused({ ...INVALID, found: 'something that is no token' });
  if (fileToken && isSamePrint(print, fileToken)) return { type: 'caller', caller: owner('token-file', print.id) };
  if (ownToken && isSamePrint(print, ownToken.print)) return { type: 'caller', caller: owner(ownToken.name, print.id) };
  const record = await findToken(store, print.id);
  if (!record || !isSamePrint(print, record)) return refused(INVALID);
  const state = stateOf(record, now());
  if (state === 'expired') return refused(ended('token_expired', record.name, record.expiresAt ?? now()));
  if (state === 'revoked') return refused(ended('token_revoked', record.name, record.revokedAt ?? now()));
  await touchToken(store, record, now());
  return { type: 'caller', caller: callerOf(record) };
}
