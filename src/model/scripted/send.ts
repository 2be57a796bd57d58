import type { ServerResponse } from 'node:http';
import type { Delivery, Pauses } from './delivery.ts';

/** Resolves after the time, or at once when the signal aborts; never rejects. */
export type Sleep = (durationMs: number, signal: AbortSignal) => Promise<void>;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Handed to the kernel, so that cutting the connection afterwards loses nothing of it. */
const write = (response: ServerResponse, piece: string): Promise<void> =>
  new Promise((resolve) => {
    response.write(piece, () => resolve());
  });

async function sendPieces(
  response: ServerResponse,
  pieces: readonly string[],
  pause: () => Promise<void>,
  { signal, gone }: { readonly signal: AbortSignal; readonly gone: Promise<void> },
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause();
    if (signal.aborted) return;
    // A write to a connection that is gone may never report.
    await Promise.race([write(response, piece), gone]);
  }
}

/** Sends it. Returns when it is done or `signal` says that nobody listens any more; never throws. */
export async function send(
  response: ServerResponse,
  { head, pieces, ending }: Delivery,
  { delayMs, chunkDelayMs }: Pauses,
  { sleep, signal }: { readonly sleep: Sleep; readonly signal: AbortSignal },
): Promise<void> {
  const pause = (durationMs: number): Promise<void> => (durationMs > 0 ? sleep(durationMs, signal) : Promise.resolve());
  const gone = aborted(signal);
  await pause(delayMs);
  if (signal.aborted) return;
  if (head !== null) {
    response.writeHead(head.status, head.headers);
    response.flushHeaders();
    await sendPieces(response, pieces, () => pause(chunkDelayMs), { signal, gone });
  }
  if (ending === 'hang') await gone;
  if (ending === 'end') response.end();
  else response.destroy();
}
