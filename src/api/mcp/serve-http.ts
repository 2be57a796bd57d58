import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest, isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Context } from 'hono';
import type { Caller } from '../access/caller.ts';
import { allows } from '../access/scopes.ts';
import { problem, type Refusal } from '../problem.ts';
import { MCP_AGENT, type McpDeps, type OverHttpDeps } from './deps.ts';
import { createMcpServer } from './server.ts';
import { newSessions, type Session, type SessionLimits, type Sessions } from './sessions.ts';
import { type Unanswered, watchUnanswered } from './unanswered.ts';
import { watchedResponse } from './watched-response.ts';

interface HttpSession extends Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly unanswered: Unanswered;
}

const LIMITS: SessionLimits = { max: 64, idleMs: 30 * 60_000 };

const AGAIN = 'Initialise a new session.';
const NO_JSON: Refusal = { code: 'invalid_request', message: 'The body is no JSON.', expected: 'one JSON-RPC message' };
const NO_SESSION: Refusal = {
  ...{ code: 'invalid_request', message: 'The request belongs to no session.', expected: 'the header Mcp-Session-Id' },
  ...{ found: 'none', next: 'Send initialize first; its answer has the header.' },
};
const SESSION_NOT_FOUND: Refusal = { code: 'session_not_found', message: 'The session is over.', next: AGAIN };
const NO_ROOM: Refusal = {
  ...{ code: 'too_many_sessions', message: 'All MCP sessions are in use, or the server stops.' },
  next: 'End one with DELETE, or try again.',
};

/** A session for each client that initialises, for its caller alone. */
export function mcpHandler(
  { access, ...deps }: OverHttpDeps,
  closing: AbortSignal,
): (context: Context) => Promise<Response> {
  const { now } = access;
  const sessions = newSessions<HttpSession>(LIMITS, now);
  closing.addEventListener('abort', () => {
    for (const { unanswered, close } of sessions.all()) void unanswered.none().then(close);
  });
  return async (context) => {
    const body = context.req.method === 'POST' ? jsonOf(await context.req.text()) : null;
    if (body === undefined) return problem(context, NO_JSON);
    const caller = context.get('caller');
    const id = context.req.header('mcp-session-id');
    if (id !== undefined) {
      const session = sessions.find(id, ownerOf(caller));
      return session ? answer(sessions, session, context.req.raw, body) : problem(context, SESSION_NOT_FOUND);
    }
    if (!isInitializeRequest(body)) return problem(context, NO_SESSION);
    if (closing.aborted || !sessions.makeRoom()) return problem(context, NO_ROOM);
    const session = await opened(sessions, ownerOf(caller), { ...deps, ...authorityOf(caller), now, closing });
    return answer(sessions, session, context.req.raw, body);
  };
}

/** Whoever has no token is an agent here: a model speaks, even where a person started the server (D16). */
const authorityOf = ({ principal, scopes, tokenId }: Caller): Pick<McpDeps, 'principal' | 'allows'> => ({
  principal: tokenId === null ? MCP_AGENT : principal,
  allows: (scope) => allows(scopes, scope),
});

const ownerOf = ({ tokenId }: Caller): string => tokenId ?? 'nobody';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Takes a place once the client has initialised; one that fails to leaves nothing behind. */
async function opened(sessions: Sessions<HttpSession>, owner: string, deps: McpDeps): Promise<HttpSession> {
  const id = randomUUID();
  const server = createMcpServer(deps);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => sessions.add(session),
  });
  const unanswered = watchUnanswered(transport);
  const session: HttpSession = { id, owner, transport, unanswered, close: () => void server.close() };
  server.server.onclose = () => sessions.drop(id);
  await server.connect(transport);
  return session;
}

/** Lets the protocol answer; what nobody can receive any more is given up, or a wait would go on for nobody. */
async function answer(
  sessions: Sessions<HttpSession>,
  session: HttpSession,
  request: Request,
  body: unknown,
): Promise<Response> {
  const { transport, unanswered } = session;
  const release = sessions.hold(session);
  const response = await transport.handleRequest(request, body === null ? {} : { parsedBody: body });
  return watchedResponse(response, (isComplete) => {
    release();
    if (isComplete) return;
    for (const message of [body].flat()) {
      if (isJSONRPCRequest(message) && unanswered.has(message.id)) unanswered.giveUp(message.id);
    }
  });
}
