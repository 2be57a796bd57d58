import type { Benchmark } from './figure.ts';
import { cycleFlatness } from './figures/cycle-flatness.ts';
import { cycleVsBare } from './figures/cycle-vs-bare.ts';

/** In the order of the table in the documentation. */
export const BENCHMARKS: readonly Benchmark[] = [cycleVsBare, cycleFlatness];
