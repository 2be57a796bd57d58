import { useCallback, useEffect, useRef, useState } from 'react';
import { readBytes } from '../../api/content.ts';
import { CHUNK_BYTES, chunkAfter, chunkBefore, joined, type LogChunk } from './log-chunks.ts';

export interface State {
  /** At which end it was opened. */
  readonly opened: 'start' | 'end';
  readonly chunks: readonly LogChunk[];
  /** Bytes in all; undefined until the first are there. */
  readonly total: number | undefined;
}

export interface Log extends State {
  readonly isReading: boolean;
  readonly error: unknown;
  /** Reads what stands before or behind. */
  readonly read: (where: 'start' | 'end') => void;
  /** Forgets what was read and begins at one of the ends. */
  readonly go: (where: 'start' | 'end') => void;
}

/** Which bytes come next; undefined where there are none. */
function spanAt({ chunks, total = 0 }: State, where: 'start' | 'end'): { from: number; to: number } | undefined {
  const from = chunks[0]?.from ?? 0;
  const to = chunks.at(-1)?.to ?? 0;
  if (where === 'start') return from > 0 ? { from: Math.max(0, from - CHUNK_BYTES), to: from } : undefined;
  return to < total ? { from: to, to: Math.min(total, to + CHUNK_BYTES) } : undefined;
}

/** A log that is read by ranges of bytes, from its end, where the news is. */
export function useLog(address: string): Log {
  const [state, setState] = useState<State>({ opened: 'end', chunks: [], total: undefined });
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const ending = useRef(new AbortController());
  const busy = useRef(false);

  const attempt = useCallback(async (reads: (signal: AbortSignal) => Promise<State>): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setReading(true);
    const { signal } = ending.current;
    try {
      const next = await reads(signal);
      if (signal.aborted) return;
      setState(next);
      setError(undefined);
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      if (!signal.aborted) {
        busy.current = false;
        setReading(false);
      }
    }
  }, []);

  const go = useCallback(
    (where: 'start' | 'end') =>
      void attempt(async (signal) => {
        const span = where === 'end' ? { last: CHUNK_BYTES } : { from: 0, to: CHUNK_BYTES };
        const { bytes, from, total } = await readBytes(address, { signal, ...span });
        if (total === 0) return { opened: where, chunks: [], total };
        const chunk = from === 0 ? chunkAfter(bytes, 0, total) : chunkBefore(bytes, from);
        return { opened: where, chunks: [chunk], total };
      }),
    [address, attempt],
  );

  const read = (where: 'start' | 'end'): void => {
    const span = spanAt(state, where);
    if (!span) return;
    void attempt(async (signal) => {
      const { bytes, total } = await readBytes(address, { signal, ...span });
      const next = where === 'start' ? chunkBefore(bytes, span.from) : chunkAfter(bytes, span.from, total);
      return { ...state, chunks: joined(state.chunks, next, where), total };
    });
  };

  useEffect(() => {
    const mine = new AbortController();
    ending.current = mine;
    busy.current = false;
    go('end');
    return () => mine.abort();
  }, [go]);

  return { ...state, isReading, error, read, go };
}
