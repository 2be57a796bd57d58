import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type ItemState, sentenceOf } from '../../../core/index.ts';
import type { McpDeps } from '../deps.ts';
import { guarded, itemNotFound, refused, said } from '../result.ts';
import { itemView } from '../views.ts';
import { restOf, waitForRest } from '../wait.ts';
import { ID, READS } from './fields.ts';

const INPUT = z.strictObject({
  id: ID,
  timeoutSec: z.number().int().min(1).max(3_600).default(50).describe('Call again when it was too short'),
});

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Sends the status sentence to a client that asked for progress; `progress` only counts, for nobody knows the end. */
function progressOf({ _meta, sendNotification }: Extra): (state: ItemState) => Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
  let progress = 0;
  return async (state) => {
    progress += 1;
    const params = { progressToken, progress, message: sentenceOf(state) };
    await sendNotification({ method: 'notifications/progress', params });
  };
}

/** `wait_for_item`: until it is done or cancelled, waits for a person, or the time is over. */
export function waitTool(server: McpServer, deps: McpDeps): void {
  const description =
    'Wait until an item is done, cancelled or waits for a person. ' +
    'Answers {ended: done | cancelled | waits_for_person | time_limit, item}.';
  const config = { title: 'Wait for an item', description, inputSchema: INPUT, annotations: READS };
  server.registerTool('wait_for_item', config, ({ id, timeoutSec }, extra) =>
    guarded(async () => {
      const wait = { itemId: id, limitMs: timeoutSec * 1_000, signal: extra.signal, tell: progressOf(extra) };
      const state = await waitForRest(deps, wait);
      return state ? said({ ended: restOf(state) ?? 'time_limit', item: itemView(state) }) : refused(itemNotFound(id));
    }),
  );
}
