/** Counts of single tests. */
export type TestCounts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/**
 * Counts the tests of a Vitest JSON report. A file that failed without a failed test (it did not load,
 * or leaked) counts as one failure, and so does a run that says it failed and names nothing.
 */
export function summarise(report: unknown, exitCode: number): TestCounts {
  const files = listAt(report, 'testResults');
  const statuses = files.flatMap((file) => listAt(file, 'assertionResults').map((result) => fieldOf(result, 'status')));
  const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
  const failed = count('failed') + files.filter(failedAsAWhole).length;
  const passed = count('passed');
  const unnamed = failed === 0 && (exitCode !== 0 || fieldOf(report, 'success') !== true) ? 1 : 0;
  return { passed, failed: failed + unnamed, skipped: statuses.length - passed - count('failed') };
}

function failedAsAWhole(file: unknown): boolean {
  const tests = listAt(file, 'assertionResults');
  return fieldOf(file, 'status') === 'failed' && !tests.some((result) => fieldOf(result, 'status') === 'failed');
}

function listAt(value: unknown, key: string): unknown[] {
  const found = fieldOf(value, key);
  return Array.isArray(found) ? found : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
