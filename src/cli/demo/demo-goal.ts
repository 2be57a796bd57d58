import type { Criterion, Setup } from '../../core/index.ts';

const PROTECT = Object.freeze(['test/**', 'vendor/**', 'package.json']);

const proven = (id: string, text: string, run: string): Criterion => ({
  id,
  version: 1,
  text,
  minProof: 'machine',
  check: { run, timeoutSec: 120, expectExit: 0, protect: PROTECT, network: 'loopback' },
});

/** What is asked for, in the words of a person. */
export const DEMO_GOAL =
  'Two customers of tidy-invoices reported wrong invoices: a credit note is a cent off its invoice, and an article ' +
  'called 3" pipe loses its quote when orders are read. Mend both bugs. The whole test suite passes, and nothing else ' +
  'changes.';

/** How the person will know: three that the engine decides by running something, one that needs eyes. */
export const DEMO_CRITERIA: readonly Criterion[] = Object.freeze([
  proven(
    'c1',
    'Half a cent of a credit note is rounded away from zero, like that of its invoice',
    'node --test test/money.test.js',
  ),
  proven('c2', 'Two quotes inside a quoted field are read as one', 'node --test test/csv.test.js'),
  proven('c3', 'The whole test suite passes on the merged result', 'npm test'),
  {
    id: 'c4',
    version: 1,
    text: 'Each fix mends its cause in src, and no test is changed, skipped or removed',
    minProof: 'independent',
  },
]);

export const DEMO_SETUP: Setup = Object.freeze({
  run: 'npm ci --offline',
  inputs: ['package-lock.json', 'vendor/plain-table/package.json'],
  network: 'none',
  timeoutSec: 300,
});

export const DEMO_INSTRUCTIONS = 'Change files in src only. The tests say what is right.';
