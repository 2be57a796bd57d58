import type { CallFence, LiveRun } from '../../core/index.ts';
import { createRedactor } from '../../text/redact.ts';
import type { World } from '../world.ts';
import type { LiveSource } from './live-text.ts';

/** Somebody who writes live text, and ends it when what is durable of it is committed. */
export interface LiveWriter {
  write(text: string): void;
  end(): void;
}

/** What a Run prints, which its executor has redacted already. */
export function liveOutput(
  { liveText }: Pick<World, 'liveText'>,
  itemId: string,
  run: Pick<LiveRun, 'id' | 'actionId'>,
): LiveWriter {
  const source: LiveSource = { kind: 'output', runId: run.id, actionId: run.actionId };
  return { write: (text) => liveText?.write(itemId, source, text), end: () => liveText?.end(itemId, source) };
}

/** What a model says to one request. Whole lines only: a secret that comes in two pieces is found in one (D38). */
export function liveAnswer(
  { liveText }: Pick<World, 'liveText'>,
  call: { readonly itemId: string; readonly callId: string; readonly fence: CallFence },
  secrets: readonly string[],
): LiveWriter | undefined {
  if (!liveText) return undefined;
  const { itemId, callId, fence } = call;
  const owner = fence.kind === 'run' ? { runId: fence.run.runId } : { turnId: fence.turnId };
  const source: LiveSource = { kind: 'text', ...owner, callId };
  const redactor = createRedactor(secrets);
  return {
    write: (text) => liveText.write(itemId, source, redactor.push(text)),
    end() {
      liveText.write(itemId, source, redactor.end());
      liveText.end(itemId, source);
    },
  };
}
