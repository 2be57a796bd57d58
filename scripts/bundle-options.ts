import type { BuildOptions } from 'esbuild';

/** For Node, in a few files: what a process does not need stays in one that it does not load. */
export const BUNDLE = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
} as const satisfies BuildOptions;
