import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that touch the world; all others are pure. Those of the API do so through servers and stores of their own. */
const real = ['e2e', 'store', 'model', 'crash'].map((kind) => `test/!(api)/**/*.${kind}.test.ts`);
const long = 'test/**/*.soak.test.ts';

export default defineConfig({
  test: {
    // Forks: native modules and real child processes need a process of their own, and a crash stays in one file.
    pool: 'forks',
    maxWorkers: 2,
    // Hang guards, not speed limits: speed belongs to bench/.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A skipped test says why in its name; a focused one must never reach the main branch.
    allowOnly: false,
    projects: [
      {
        extends: true,
        // Nothing that these tests do outlives them, so a process loads the source once for many of them.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...real, long],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'real', include: real, exclude: [...configDefaults.exclude, long] } },
    ],
  },
});
