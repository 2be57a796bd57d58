import { test } from 'vitest';
import { raceForClaims } from './concurrency-claims.ts';

test('three processes on one database make two thousand claims, none twice and none refused for a lock, though one is killed midway (CLM-4)', async () => {
  await raceForClaims(2_000);
}, 120_000);
