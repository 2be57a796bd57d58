import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.soak.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    passWithNoTests: true,
    allowOnly: false,
  },
});
