import { createHash } from 'node:crypto';

export interface SetupInput {
  readonly path: string;
  /** Hash of the file in the base commit; `missing` where it has none. */
  readonly contentHash: string;
}

export interface SetupFacts {
  readonly run: string;
  readonly inputs: readonly SetupInput[];
  /** Operating system, processor and C library where they differ, for example `linux-x64-glibc`. */
  readonly platform: string;
  readonly nodeMajor: number;
  readonly network: string;
}

/** Raised whenever what is stored, or how, changes; older entries then simply miss. */
const FORMAT = 1;

/**
 * The name of a set-up result in the cache (D23): 64 hex digits, the same for the same facts whatever the order in which inputs
 * are listed, different as soon as any of them differs.
 */
export function setupKey(facts: SetupFacts): string {
  const inputs = facts.inputs
    .map((input) => [input.path, input.contentHash])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0));
  const canonical = [FORMAT, facts.run, inputs, facts.platform, facts.nodeMajor, facts.network];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}
