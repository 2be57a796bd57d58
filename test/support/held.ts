/** Something that is held where it comes by, until it is let go. */
export interface Held {
  /** Resolves when it has come; rejects never. */
  readonly come: Promise<void>;
  hasCome(): boolean;
  /** For whoever comes: resolves when it is let go. */
  pass(): Promise<void>;
  release(): void;
}

export function held(): Held {
  let arrive = (): void => undefined;
  let release = (): void => undefined;
  let hasCome = false;
  const come = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  const pass = (): Promise<void> => {
    hasCome = true;
    arrive();
    return free;
  };
  return { come, hasCome: () => hasCome, pass, release: () => release() };
}

/** Holds the n-th request that a step answers: it has reached the model, and its answer waits. */
export function holdRequest(step: string, nth = 1) {
  const gate = held();
  let count = 0;
  const onRequest = (stepName: string | null): Promise<void> | undefined => {
    if (stepName === step) count += 1;
    return stepName === step && count === nth ? gate.pass() : undefined;
  };
  return { ...gate, onRequest };
}
