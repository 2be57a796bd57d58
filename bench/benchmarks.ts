import type { Benchmark } from './figure.ts';
import { agentLoop } from './figures/agent-loop.ts';
import { cliCold } from './figures/cli-cold.ts';
import { cycleAge } from './figures/cycle-age.ts';
import { cycleFlatness } from './figures/cycle-flatness.ts';
import { cycleVsBare } from './figures/cycle-vs-bare.ts';
import { http } from './figures/http.ts';
import { idleMemory } from './figures/idle-memory.ts';
import { loopStall } from './figures/loop-stall.ts';
import { detail, list } from './figures/reads.ts';
import { recover } from './figures/recover.ts';
import { turnOverhead } from './figures/turn.ts';
import { wake } from './figures/wake.ts';

/** Short ones first; those that need a hundred thousand items share the stores they make. */
export const BENCHMARKS: readonly Benchmark[] = [
  cycleVsBare,
  loopStall,
  cycleAge,
  wake,
  turnOverhead,
  agentLoop,
  detail,
  recover,
  cliCold,
  cycleFlatness,
  list,
  http,
  idleMemory,
];
