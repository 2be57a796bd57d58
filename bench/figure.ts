/** One measured number, as `--json` prints it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ratio' | 'ms' | 'MB' | '1/s';
  /** How many samples are behind the value. */
  readonly n?: number;
  /** A ratio beside the value, or the number it was compared with. */
  readonly ratio?: number;
  readonly target?: string;
  readonly ok?: boolean;
  readonly durability?: 'full' | 'normal';
  /** What a reader has to know to believe the number. */
  readonly note?: string;
}

/** A figure that could not be measured here, and why: never passed off as a good one. */
export interface Unmeasured {
  readonly name: string;
  readonly skipped: string;
}

export type Line = Figure | Unmeasured;

export interface BenchOptions {
  /** Small sizes: shows that everything runs; the numbers mean little. */
  readonly quick: boolean;
  /** A directory that is removed at the end. */
  readonly root: string;
  readonly say: (text: string) => void;
}

/** Measures one figure or a few that belong together. */
export interface Benchmark {
  readonly names: readonly string[];
  readonly measure: (options: BenchOptions) => Promise<readonly Line[]>;
}

/** A bound that holds on the development machine (quality.md, "Speed"). */
type Bound = { readonly atLeast: number } | { readonly atMost: number };

const TARGETS: Readonly<Record<string, Bound>> = {
  'cycle.vs_bare_normal': { atLeast: 0.5 },
  'cycle.vs_bare_full': { atLeast: 0.5 },
  'cycle.flatness': { atLeast: 0.85 },
  'cycle.age_flatness': { atLeast: 0.8 },
  'loop.stall_ms': { atMost: 50 },
  'wake.p50_ms': { atMost: 5 },
  'wake.p99_ms': { atMost: 25 },
  'turn.overhead_ms': { atMost: 2 },
  'list.p50_ms': { atMost: 5 },
  'detail.p50_ms': { atMost: 5 },
  'http.list_over_store_ms': { atMost: 2 },
  'http.head_over_store_ms': { atMost: 2 },
  'recover.1000_ms': { atMost: 1_000 },
  'cli.cold_ratio': { atMost: 4 },
  'idle.rss_mb': { atMost: 150 },
};

export const isMeasured = (line: Line): line is Figure => 'value' in line;

const round = (value: number): number => Number(value.toPrecision(4));

/** The figure with its target and verdict, where the table of figures names one. */
export function judged(line: Line): Line {
  if (!isMeasured(line)) return line;
  const { ratio } = line;
  const rounded = { ...line, value: round(line.value), ...(ratio === undefined ? {} : { ratio: round(ratio) }) };
  const bound = TARGETS[line.name];
  if (!bound) return rounded;
  return 'atLeast' in bound
    ? { ...rounded, target: `>= ${bound.atLeast}`, ok: line.value >= bound.atLeast }
    : { ...rounded, target: `<= ${bound.atMost}`, ok: line.value <= bound.atMost };
}
