import { expect, it } from 'vitest';
import { summarise } from '../../scripts/rules/test-report.ts';

const file = (status: string, tests: string[]): object => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

it('counts tests, not files', () => {
  const report = {
    success: false,
    testResults: [file('passed', ['passed', 'passed', 'pending']), file('failed', ['passed', 'failed'])],
  };
  expect(summarise(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
});

it('counts a file that did not load as a failure', () => {
  const report = { success: false, testResults: [file('passed', ['passed']), file('failed', [])] };
  expect(summarise(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

it('never calls a failed run a success', () => {
  const passed = { success: true, testResults: [file('passed', ['passed'])] };
  expect(summarise(passed, 0).failed).toBe(0);
  expect(summarise(passed, 1).failed).toBe(1);
  expect(summarise({}, 0).failed).toBe(1);
});
