import { z } from 'zod';
import type { SideRecord, Store } from '../../store/store.ts';
import { SCOPES } from './scopes.ts';
import { type MintedToken, mintToken } from './token.ts';

const KIND = 'token';
/** Older ones than so many are not listed. */
const MAX_TOKENS = 1_000;
/** A token in use is noted no more often than this. */
const TOUCH_MS = 60_000;

const VALUE = z.object({
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)),
  /** Whose word it carries: an agent's never counts as a person's (D16). */
  authority: z.enum(['user', 'agent']),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
});

type Value = z.infer<typeof VALUE>;

/** A token as it is kept beside the items; times in epoch milliseconds, `lastUsedAt` to the minute. */
export interface TokenRecord extends Value {
  readonly id: string;
  readonly version: number;
}

export type TokenState = 'valid' | 'expired' | 'revoked';

/** Revoked outweighs expired: it was somebody's will. */
export function stateOf({ revokedAt, expiresAt }: Value, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}

const recordOf = ({ id, version, value }: SideRecord): TokenRecord => ({ id, version, ...VALUE.parse(value) });

const write = (store: Store, { id, version, ...value }: TokenRecord): Promise<boolean> =>
  store.putRecord({ kind: KIND, id, at: value.createdAt, value: VALUE.parse(value) }, version);

export async function findToken(store: Store, id: string): Promise<TokenRecord | undefined> {
  const row = await store.getRecord(KIND, id);
  return row && recordOf(row);
}

/** Oldest first. */
export const listTokens = async (store: Store): Promise<readonly TokenRecord[]> =>
  (await store.listRecords(KIND, { limit: MAX_TOKENS, newestFirst: true })).map(recordOf).toReversed();

/** Keeps the print of a new token; its text is in the answer and nowhere else. */
export async function addToken(
  store: Store,
  wanted: Pick<Value, 'name' | 'scopes' | 'authority' | 'expiresAt'>,
  now: number,
): Promise<{ readonly minted: MintedToken; readonly record: TokenRecord }> {
  const minted = mintToken();
  const { id, hash } = minted;
  const record = { id, version: 0, ...wanted, hash, createdAt: now, revokedAt: null, lastUsedAt: null };
  // An id of four random bytes that is taken is a matter of another draw.
  return (await write(store, record)) ? { minted, record: { ...record, version: 1 } } : addToken(store, wanted, now);
}

/** Undefined when there is none; the time of an earlier revocation is kept. */
export async function revokeToken(store: Store, id: string, now: number): Promise<TokenRecord | undefined> {
  const found = await findToken(store, id);
  if (!found || found.revokedAt !== null) return found;
  const revoked = { ...found, revokedAt: now };
  // Its use was noted in between: read it again.
  return (await write(store, revoked)) ? revoked : revokeToken(store, id, now);
}

/** Notes that it is in use, to the minute; whoever writes at the same time knows better. */
export async function touchToken(store: Store, token: TokenRecord, now: number): Promise<void> {
  if (token.lastUsedAt === null || now - token.lastUsedAt >= TOUCH_MS)
    await write(store, { ...token, lastUsedAt: now });
}
