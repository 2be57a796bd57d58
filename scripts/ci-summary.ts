/**
 * `tsx scripts/ci-summary.ts REPORT EXIT_CODE`: the closing line of a test run, from Vitest's JSON report
 * and the exit code of the run (a run may fail on an unhandled error although every test passed).
 */
import { existsSync, readFileSync } from 'node:fs';
import { summarise } from './rules/test-report.ts';

const [path, exitCode] = process.argv.slice(2);
if (path === undefined || !existsSync(path)) {
  console.log('the test run left no report');
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} else {
  const { passed, failed, skipped } = summarise(JSON.parse(readFileSync(path, 'utf8')), Number(exitCode));
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
