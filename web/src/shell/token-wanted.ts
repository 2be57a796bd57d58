import { useSyncExternalStore } from 'react';

/** Why the server lets nobody in, where that is so. */
const CODES = ['token_missing', 'token_invalid', 'token_expired', 'token_revoked'] as const;
export type TokenTrouble = (typeof CODES)[number];

let trouble: TokenTrouble | undefined;
const listeners = new Set<() => void>();

/** The body of an answer that said 401. */
export function wantToken(body: unknown): void {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  const next = CODES.find((each) => each === code) ?? 'token_missing';
  if (next === trouble) return;
  trouble = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTokenTrouble = (): TokenTrouble | undefined => useSyncExternalStore(subscribe, () => trouble);
