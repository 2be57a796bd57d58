import type { Context } from 'hono';
import type { Principal } from '../../core/index.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by the door for every request that it lets in. */
    caller: Caller;
  }
}

/** Who sent a request: authority comes from here, never from what was sent (D16). */
export interface Caller {
  readonly principal: Principal;
}

/** On loopback without tokens whoever reaches the port is the person who started the server. */
export const LOCAL_CALLER: Caller = Object.freeze({
  principal: Object.freeze({ kind: 'user', name: 'local' } satisfies Principal),
});

export const principalOf = (context: Context): Principal => context.get('caller').principal;
