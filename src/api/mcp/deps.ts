import type { Principal } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';
import type { Scope } from '../access/scopes.ts';
import type { ApiDeps, Submit } from '../deps.ts';

/** What the MCP server is given; it knows nothing of environment, settings files and sockets. */
export interface McpDeps {
  readonly store: Store;
  readonly version: string;
  /** Whose authority every call has; a client's agent unless the person said otherwise (D16). */
  readonly principal: Principal;
  /** Whether the caller's token goes so far; without it everything is allowed that the principal may. */
  readonly allows?: (scope: Scope) => boolean;
  /** Without it `create_item` is not offered. */
  readonly submit?: Submit;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The server stops: calls that wait answer what they know and say what to do next. */
  readonly closing?: AbortSignal;
}

/** Who speaks over MCP where nobody said that it is a person. */
export const MCP_AGENT: Principal = Object.freeze({ kind: 'agent', name: 'mcp' });

/** What MCP over HTTP takes of the API. */
export type OverHttpDeps = Pick<ApiDeps, 'store' | 'version' | 'submit' | 'access'>;
