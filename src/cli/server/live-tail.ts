import type { LiveFrame, WorkCenterClient } from '../../client/index.ts';

/** What the server says of an item while it happens. */
export interface LiveTail {
  /** The end of what a Run is writing and has not written yet; empty where nothing is known. */
  readonly textOf: (runId: string) => string;
  /** Hears of every event; answers how to stop listening. */
  readonly onEvent: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
}

/** More than a screen shows of one Run. */
const MOST_CHARS = 4_096;

/** Texts by Run and source; a Run may print and think in turn. */
function openTexts() {
  const texts = new Map<string, Map<string, string>>();
  return {
    hear({ event, data }: LiveFrame): void {
      const { runId, kind, callId = '' } = data;
      if (runId === undefined) return;
      const ofRun = texts.get(runId) ?? new Map<string, string>();
      texts.set(runId, ofRun);
      const source = `${kind} ${callId}`;
      if (event === 'live-end') ofRun.delete(source);
      else ofRun.set(source, `${ofRun.get(source) ?? ''}${data.text}`.slice(-MOST_CHARS));
    },
    of: (runId: string, isWanted: (source: string) => boolean): string =>
      [...(texts.get(runId) ?? [])].flatMap(([source, text]) => (isWanted(source) ? [text] : [])).join('\n'),
  };
}

/**
 * Listens to an item's stream until it is closed. What a Run prints is told only where its log is out of reach
 * (`withOutput`). A stream that cannot be had tells nothing: whoever follows an item looks at it anyway.
 */
export function openLiveTail(
  client: WorkCenterClient,
  itemId: string,
  { after, withOutput }: { readonly after: number; readonly withOutput: boolean },
): LiveTail {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  const texts = openTexts();
  const listen = async (): Promise<void> => {
    for await (const _event of client.followItem(itemId, { after, signal: stop.signal, live: texts.hear })) {
      for (const listener of listeners) listener();
    }
  };
  const listening = listen().catch(() => undefined);
  return {
    textOf: (runId) => texts.of(runId, (source) => withOutput || !source.startsWith('output')),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      stop.abort();
      return listening;
    },
  };
}
