/**
 * `npm run bench`: the figures of speed and size, with their targets.
 *
 *   --json        one object per line
 *   --quick       small sizes: shows that every figure can be measured, not how good it is
 *   --only NAME   figures whose name begins with NAME; may be repeated
 *   --strict      exit 1 when a figure misses its target or was not measured
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCHMARKS } from './benchmarks.ts';
import { type Benchmark, type BenchOptions, isMeasured, judged, type Line } from './figure.ts';
import { head, row } from './table.ts';

async function measured(benchmark: Benchmark, options: BenchOptions): Promise<readonly Line[]> {
  try {
    return (await benchmark.measure(options)).map(judged);
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return benchmark.names.map((name) => ({ name, skipped: `failed: ${why}` }));
  }
}

const isGood = (line: Line): boolean => isMeasured(line) && line.ok !== false;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const wanted = (name: string): boolean =>
    values.only.length === 0 || values.only.some((only) => name.startsWith(only));
  const root = mkdtempSync(join(tmpdir(), 'workcenter-bench-'));
  const say = (text: string): void => void process.stderr.write(`bench: ${text}\n`);
  const print = (line: Line): void => console.log(values.json ? JSON.stringify(line) : row(line));
  const lines: Line[] = [];
  try {
    if (!values.json) console.log(head());
    for (const benchmark of BENCHMARKS) {
      if (!benchmark.names.some(wanted)) continue;
      const fresh = (await measured(benchmark, { quick: values.quick, root, say })).filter(({ name }) => wanted(name));
      for (const line of fresh) print(line);
      lines.push(...fresh);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return values.strict && !lines.every(isGood) ? 1 : 0;
}

process.exitCode = await main();
