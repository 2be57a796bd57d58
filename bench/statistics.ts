/** The value below which `share` (0..1) of the samples lie, by the nearest rank. Throws on an empty list. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))];
  if (value === undefined) throw new RangeError('no samples');
  return value;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** Milliseconds that `work` took, on the monotonic clock. */
export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** `count` samples of the same work. */
export async function samplesOf(count: number, work: (index: number) => Promise<unknown> | unknown): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index++) samples.push(await timed(() => work(index)));
  return samples;
}
