/** Why a signal is given when the engine stops in good order: what is on its way may still arrive. */
export class EngineStopping extends Error {
  override readonly name = 'EngineStopping';
  constructor() {
    super('the engine is stopping');
  }
}

/** Of the time that a stop may take, this much is spent waiting for answers. */
const SHARE = 0.6;

export interface PatientSignal {
  readonly signal: AbortSignal;
  /** To be called when the work is done, whatever came of it. */
  release(): void;
}

/**
 * The same signal, but that an orderly stop is passed on late: a request that was sent is paid for, and its answer
 * lost would have to be asked about (D11). A lost lease and a stopped item end it at once.
 */
export function patientSignal(given: AbortSignal, shutdownMs: number): PatientSignal {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const pass = (): void => {
    const end = (): void => late.abort(given.reason);
    if (given.reason instanceof EngineStopping) timer = setTimeout(end, shutdownMs * SHARE);
    else end();
  };
  given.addEventListener('abort', pass, { once: true });
  if (given.aborted) pass();
  return {
    signal: late.signal,
    release() {
      clearTimeout(timer);
      given.removeEventListener('abort', pass);
    },
  };
}
