import { test } from 'vitest';
import { raceForClaims } from './concurrency-claims.ts';

test('three processes on one database make twenty thousand claims, none twice and none refused for a lock (CLM-4)', async () => {
  await raceForClaims(20_000);
}, 1_800_000);
