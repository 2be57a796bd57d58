import { stateOf, type TokenRecord } from '../../api/access/token-records.ts';
import { type Cell, type Column, table } from './table.ts';
import type { View } from './view.ts';
import { ago, iso, isoOrNull } from './when.ts';

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'name', grow: true, min: 8 },
  { title: 'scopes' },
  { title: 'word of' },
  { title: 'state' },
  { title: 'last used' },
];

/** `valid`, `until 2026-11-30`, `expired`, `revoked`. */
function stateText(token: TokenRecord, now: number): string {
  const state = stateOf(token, now);
  return state === 'valid' && token.expiresAt !== null ? `until ${iso(token.expiresAt).slice(0, 10)}` : state;
}

function rowOf(token: TokenRecord, { now, paint }: View): readonly Cell[] {
  const { id, name, scopes, authority, lastUsedAt } = token;
  const state = { text: stateText(token, now), ...(stateOf(token, now) === 'valid' ? {} : { paint: paint.dim }) };
  const words = [id, name, scopes.join(','), authority].map((text) => ({ text }));
  return [...words, state, { text: lastUsedAt === null ? 'never' : ago(lastUsedAt, now) }];
}

export const tokenList = (tokens: readonly TokenRecord[], view: View): readonly string[] =>
  table(
    COLUMNS,
    tokens.map((token) => rowOf(token, view)),
    view.columns,
    view.paint.dim,
  );

/** A token for programs: all but what it is recognised by. */
export const tokenJson = (token: TokenRecord, now: number) => {
  const { id, name, scopes, authority, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const times = { expiresAt: isoOrNull(expiresAt), revokedAt: isoOrNull(revokedAt), lastUsedAt: isoOrNull(lastUsedAt) };
  return { id, name, scopes, authority, state: stateOf(token, now), createdAt: iso(createdAt), ...times };
};
