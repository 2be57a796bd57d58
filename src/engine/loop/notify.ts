import { spawn } from 'node:child_process';
import type { ItemState, StoredEvent } from '../../core/index.ts';
import { sentenceOf } from '../../core/index.ts';

/** Told to the person's own `notify:` command. What webhooks are told is theirs (`webhooks/event-types.ts`). */
export interface Notice {
  readonly kind: 'needs_you' | 'done' | 'cancelled' | 'held';
  readonly itemId: string;
  readonly title: string;
  readonly sentence: string;
}

/** What a commit gives a person reason to know; at most one notice, the most urgent. */
export function noticeOf(state: ItemState, events: readonly StoredEvent[]): Notice | undefined {
  const types = new Set(events.map((event) => event.body.type));
  const kind = types.has('ItemCompleted')
    ? 'done'
    : types.has('ItemCancelled')
      ? 'cancelled'
      : types.has('ItemHeld')
        ? 'held'
        : types.has('RequestOpened')
          ? 'needs_you'
          : undefined;
  return kind && { kind, itemId: state.id, title: state.contract.title, sentence: sentenceOf(state) };
}

/** Runs the command with the notice in its environment; its failure concerns nobody but the log. */
export function runNotifyCommand(
  command: string,
  notice: Notice,
  env: Readonly<Record<string, string>>,
  onFailure: (reason: string) => void,
): void {
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...env,
      WORKCENTER_NOTICE: notice.kind,
      WORKCENTER_ITEM: notice.itemId,
      WORKCENTER_TITLE: notice.title,
      WORKCENTER_SENTENCE: notice.sentence,
    },
  });
  child.on('error', (error) => onFailure(error.message));
  child.on('exit', (code) => code !== 0 && onFailure(`exit ${code}`));
  child.unref();
}
