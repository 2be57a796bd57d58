import { z } from 'zod';
import { type ItemState, sentenceOf } from '../../../core/index.ts';
import type { McpDeps } from '../deps.ts';
import { itemNotFound, refused, said } from '../result.ts';
import { type Extra, type Tool, tool } from '../tool.ts';
import { itemView } from '../views.ts';
import { restOf, waitForRest } from '../wait.ts';
import { ID, READS } from './fields.ts';

const INPUT = z.strictObject({
  id: ID,
  timeoutSec: z.number().int().min(1).max(3_600).default(50).describe('Call again when it was too short'),
});

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

/** A wait that ended before the item came to rest says so, and what to do next. */
const UNFINISHED = {
  time_limit: 'The item goes on; call wait_for_item again.',
  server_stops: 'The item stays as it is; call wait_for_item again when the server is back.',
} as const;

function waitedView(state: ItemState, stops: boolean) {
  const rest = restOf(state);
  if (rest) return { ended: rest, item: itemView(state) };
  const ended = stops ? 'server_stops' : 'time_limit';
  return { ended, next: UNFINISHED[ended], item: itemView(state) };
}

/** `wait_for_item`: until it is done or cancelled, waits for a person, the time is over, or the server stops. */
export function waitTool(deps: McpDeps): Tool {
  const description =
    'Wait until an item is done, cancelled or waits for a person. ' +
    'Answers {ended: done | cancelled | waits_for_person | time_limit | server_stops, item}.';
  const words = { name: 'wait_for_item', title: 'Wait for an item', description, ...READS } as const;
  return tool(words, INPUT, async ({ id, timeoutSec }, extra) => {
    const signal = deps.closing ? AbortSignal.any([extra.signal, deps.closing]) : extra.signal;
    const wait = { itemId: id, limitMs: timeoutSec * 1_000, signal, tell: progressOf(extra) };
    const state = await waitForRest(deps, wait);
    return state ? said(waitedView(state, deps.closing?.aborted ?? false)) : refused(itemNotFound(id));
  });
}
