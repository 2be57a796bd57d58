import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type McpDeps } from '../../src/api/mcp/index.ts';
import type { Principal } from '../../src/core/index.ts';
import type { World } from '../../src/engine/index.ts';
import { submitGoal } from '../../src/engine/submit/submit-goal.ts';
import type { Store } from '../../src/store/store.ts';

export const USER: Principal = { kind: 'user', name: 'test' };
export const AGENT: Principal = { kind: 'agent', name: 'test' };

/** What a tool answered: its one text, read as JSON. */
export interface Told {
  readonly isError: boolean;
  readonly value: unknown;
}

export const newClient = (): Client => new Client({ name: 'test client', version: '1' });

/** Calls a tool as a client does. */
export async function call(client: Client, name: string, input: object, options?: RequestOptions): Promise<Told> {
  const params = { name, arguments: { ...input } };
  const { content, isError } = await client.request({ method: 'tools/call', params }, CallToolResultSchema, options);
  const [first] = content;
  if (first?.type !== 'text' || content.length !== 1) throw new Error(`${name} answered no single text.`);
  const isJson = first.text.startsWith('{');
  return { isError: isError === true, value: isJson ? JSON.parse(first.text) : first.text };
}

export const mcpDeps = (world: World, principal: Principal): McpDeps => ({
  ...{ store: world.store, version: 'test', principal, now: Date.now },
  submit: (submission) => submitGoal({ ...world, newItemId: () => `w${randomUUID().slice(0, 8)}` }, submission),
});

/** A store that shows who listens to its commits: every wait does, as long as it waits. */
export function listenedStore(store: Store): { readonly store: Store; readonly listeners: ReadonlySet<object> } {
  const listeners = new Set<object>();
  const onCommit: Store['onCommit'] = (listener) => {
    const end = store.onCommit(listener);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      end();
    };
  };
  const get = (of: Store, name: string | symbol) => (name === 'onCommit' ? onCommit : Reflect.get(of, name));
  return { store: new Proxy(store, { get }), listeners };
}

/** A real client on a server in the same process. */
export async function connected(deps: McpDeps): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = newClient();
  await createMcpServer(deps).connect(there);
  await client.connect(here);
  return client;
}
