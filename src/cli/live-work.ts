import type { ItemState } from '../core/model/item.ts';
import type { LiveDiff } from '../engine/on-demand/live-diff.ts';
import { type Failure, failure } from './answer.ts';
import type { App } from './app.ts';
import { EXIT } from './exit-codes.ts';
import { openWorld } from './world.ts';

/** The Action that was named, else the only one that runs. */
export function runningAction(state: ItemState, actionId: string | undefined): string | Failure {
  const running = state.actions.filter(({ status }) => status === 'running').map(({ id }) => id);
  const [only, ...others] = actionId === undefined ? running : [actionId];
  if (only !== undefined && others.length === 0) return only;
  return failure(EXIT.invalid, 'invalid_option', '--live looks at the workspace of one Action.', {
    expected: running.length === 0 ? 'an Action that runs' : '--action ACTION',
    found: running.join(', ') || 'none that runs',
  });
}

/** What a running Action has changed so far; of a server elsewhere over HTTP. */
export async function liveWork(app: App, state: ItemState, actionId: string): Promise<LiveDiff | Failure> {
  const server = await app.server?.();
  if (server?.isRemote) return (await import('./server/remote-diff.ts')).remoteLiveDiff(server, state.id, actionId);
  const { world } = await openWorld(app, { embedded: true });
  const { liveDiff } = await import('../engine/on-demand/live-diff.ts');
  const diff = await liveDiff(world, state, actionId);
  if (diff.kind === 'live') return diff;
  const exit = diff.code === 'not_running' || diff.code === 'workspace_unreadable' ? EXIT.refused : EXIT.notFound;
  return failure(exit, diff.code, diff.why, { next: `workcenter diff ${state.id} ${actionId}` });
}
