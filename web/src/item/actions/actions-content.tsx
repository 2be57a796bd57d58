import type { ContentProps } from '../pane/pane.tsx';
import { ActionList } from './action-list.tsx';
import { ActionView } from './action-view.tsx';
import { RunView } from './run-view.tsx';
import { TurnView } from './turn-view.tsx';

/** The address says what is shown: all Actions, one of them, one of its Runs; or a turn of the Coordinator. */
export function ActionsContent({ item, rest }: ContentProps) {
  const [actionId, runs, runId] = rest;
  if (actionId === 'turns' && runs !== undefined && runs !== 'runs') return <TurnView item={item} turnId={runs} />;
  if (actionId === undefined) return <ActionList item={item} />;
  if (runs !== 'runs' || runId === undefined) return <ActionView key={actionId} item={item} actionId={actionId} />;
  return <RunView key={runId} item={item} actionId={actionId} runId={runId} />;
}
