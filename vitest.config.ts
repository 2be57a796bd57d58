import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.soak.test.ts'],
    // Forks: native modules and real child processes need a process of their own, and a crash stays in one file.
    pool: 'forks',
    maxWorkers: 2,
    // Hang guards, not speed limits: speed belongs to bench/.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A skipped test says why in its name; a focused one must never reach the main branch.
    allowOnly: false,
  },
});
