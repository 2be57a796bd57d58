import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export type OutputStream = 'stdout' | 'stderr';

export interface OutputChunk {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

export interface OutputPumpSpec {
  /** One chunk (at most 64 KiB) at a time per stream; the child waits while this promise is open. */
  take(chunk: OutputChunk): void | Promise<void>;
  /** `take` failed; the rest of the output is read and dropped. */
  onFailed(error: unknown): void;
}

/** A stream whose other end is held by a process we cannot find counts as over after this much quiet. */
const ABANDONED_AFTER_MS = 1_000;

export interface OutputPump {
  /** Resolves when both streams have ended or were abandoned. Call after every descendant is gone. */
  drain(): Promise<void>;
}

/** Moves output from the child to its taker, holding no more than the streams' own buffers. */
export function startOutputPump(streams: Record<OutputStream, Readable>, spec: OutputPumpSpec): OutputPump {
  let activity = 0;
  let taking = 0;
  let failed = false;

  const take = async (chunk: OutputChunk) => {
    activity += 1;
    taking += 1;
    try {
      if (!failed) await spec.take(chunk);
    } catch (error) {
      failed = true;
      spec.onFailed(error);
    } finally {
      taking -= 1;
    }
  };
  const pump = async (stream: OutputStream) => {
    try {
      for await (const bytes of streams[stream]) await take({ stream, bytes });
    } catch {
      // Destroyed by `abandon`, or a read error: either way there is no more output.
    }
  };
  let open = true;
  const pumps = Promise.all([pump('stdout'), pump('stderr')]).then(() => {
    open = false;
  });
  const abandon = async () => {
    for (let seen = -1; open && (taking > 0 || seen !== activity); ) {
      seen = activity;
      await Promise.race([pumps, pause(ABANDONED_AFTER_MS, undefined, { ref: false })]);
    }
    streams.stdout.destroy();
    streams.stderr.destroy();
  };
  return {
    drain: async () => {
      await abandon();
      await pumps;
    },
  };
}
