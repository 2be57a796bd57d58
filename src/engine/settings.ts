/** How an engine process behaves. Units are in the names; one frozen default, checked once. */
export interface EngineSettings {
  /** Runs at a time in this installation, 1..64 (D26). */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Safety net behind the wakes; also how soon another process's change is noticed. */
  readonly pollMs: number;
  /** How long an orderly shutdown waits for Runs to end. */
  readonly shutdownMs: number;
  /** How long a Run keeps its process and workspace while a person is asked for leave (D16). */
  readonly approvalPatienceMs: number;
  /** Below this much free space no Run starts. */
  readonly minFreeBytes: number;
}

const DEFAULT_SETTINGS: EngineSettings = Object.freeze({
  concurrency: 3,
  leaseMs: 60_000,
  pollMs: 1_000,
  shutdownMs: 10_000,
  approvalPatienceMs: 30 * 60_000,
  minFreeBytes: 200 * 1024 * 1024,
});

/** Settings with what was asked for; throws a sentence about the first value out of range. */
export function engineSettings(wanted: Partial<EngineSettings>): EngineSettings {
  const settings = { ...DEFAULT_SETTINGS, ...wanted };
  const { concurrency, leaseMs } = settings;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw new RangeError(`concurrency: expected 1..64, found ${concurrency}`);
  }
  if (!Number.isInteger(leaseMs) || leaseMs < 100)
    throw new RangeError(`leaseMs: expected at least 100, found ${leaseMs}`);
  return settings;
}
