import { conformance } from './conformance.ts';
import { withFiles } from './sqlite-files.ts';

conformance({
  name: 'sqlite',
  skip: {},
  withStore: (work, policy = { concurrency: 100 }) =>
    withFiles(async ({ open, now, advance }) => {
      const openOne = () => open({ policy: () => policy });
      await work({ store: await openOne(), second: openOne, now, advance: async (ms) => advance(ms) });
    }),
});
