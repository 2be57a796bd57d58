import type { Context } from 'hono';
import type { Principal } from '../../core/index.ts';
import type { Scope } from './scopes.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by the door for every request that it lets in. */
    caller: Caller;
  }
}

/** Who sent a request: authority comes from here, never from what was sent (D16). */
export interface Caller {
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
  /** Null: nobody sent one. */
  readonly tokenId: string | null;
}

/** On loopback without tokens whoever reaches the port is the person who started the server. */
export const LOCAL_CALLER: Caller = Object.freeze({
  principal: Object.freeze({ kind: 'user', name: 'local' } satisfies Principal),
  scopes: ['admin'] as const,
  tokenId: null,
});

/** Whoever sends no token where one is needed. */
export const NOBODY: Caller = Object.freeze({
  principal: Object.freeze({ kind: 'agent', name: 'nobody' } satisfies Principal),
  scopes: [],
  tokenId: null,
});

export const principalOf = (context: Context): Principal => context.get('caller').principal;
