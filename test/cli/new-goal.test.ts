import { describe, expect, test } from 'vitest';
import { readBudget } from '../../src/cli/budget-text.ts';
import { type CriteriaWords, criteriaOf } from '../../src/cli/new-goal/criteria.ts';
import { deliveryOf } from '../../src/cli/new-goal/delivery.ts';
import { criterionLines, limitsText } from '../../src/cli/render/contract.ts';
import { DEFAULT_LIMITS } from '../../src/core/index.ts';

const words = (more: Partial<CriteriaWords>): CriteriaWords => ({
  goal: 'Invoices add up',
  texts: [],
  checks: [],
  minProofs: [],
  ...more,
});

const criteria = (more: Partial<CriteriaWords>) => {
  const made = criteriaOf(words(more));
  if ('type' in made) throw new Error(`refused: ${made.message} ${made.expected} ${made.found}`);
  return made.map(({ id, text, check, minProof }) => [id, text, check?.run, minProof]);
};

describe('criteria of a goal (D6)', () => {
  test('are the goal itself where nothing else is said', () => {
    expect(criteria({})).toEqual([['c1', 'Invoices add up', undefined, 'self']]);
  });

  test('are numbered in the order in which they were worded', () => {
    expect(criteria({ texts: ['a', ' b '] })).toEqual([
      ['c1', 'a', undefined, 'self'],
      ['c2', 'b', undefined, 'self'],
    ]);
  });

  test('take their checks by id, and are then proven by the machine only (D23)', () => {
    expect(criteria({ texts: ['a', 'b'], checks: ['c2=npm test -- --x=1'] })).toEqual([
      ['c1', 'a', undefined, 'self'],
      ['c2', 'b', 'npm test -- --x=1', 'machine'],
    ]);
    expect(criteria({ checks: ['c1=npm test'] })).toEqual([['c1', 'Invoices add up', 'npm test', 'machine']]);
  });

  test('are made of checks whose id nobody worded', () => {
    expect(criteria({ checks: ['tests=npm test', 'lint=npm run lint'] })).toEqual([
      ['tests', 'npm test succeeds', 'npm test', 'machine'],
      ['lint', 'npm run lint succeeds', 'npm run lint', 'machine'],
    ]);
    expect(criteria({ texts: ['a'], checks: ['tests=npm test'] }).map(([id]) => id)).toEqual(['c1', 'tests']);
  });

  test('may ask for a stronger proof (D24)', () => {
    expect(criteria({ minProofs: ['c1=independent'] })).toEqual([['c1', 'Invoices add up', undefined, 'independent']]);
  });

  const REFUSED: readonly (readonly [string, Partial<CriteriaWords>, object])[] = [
    [
      'an id that none of several has',
      { texts: ['a', 'b'], checks: ['c9=x'] },
      { expected: 'an id of: c1, c2', found: 'c9' },
    ],
    ['a check without an id', { checks: ['npm test'] }, { expected: 'ID=COMMAND' }],
    ['a check without a command', { checks: ['c1= '] }, { expected: 'ID=COMMAND' }],
    ['two checks for one criterion', { checks: ['c1=a', 'c1=b'] }, { found: 'c1=b' }],
    ['25 of them', { texts: Array.from({ length: 25 }, () => 'a') }, { expected: '1..24 criteria', found: '25' }],
    ['one that is too long', { texts: ['a'.repeat(2_001)] }, { found: '2001 characters' }],
    ['one that is blank', { texts: [' '] }, { found: 'nothing' }],
    ['a goal that is too long to be its own', { goal: 'a'.repeat(2_001) }, { found: '2001 characters' }],
    ['a strength that does not exist', { minProofs: ['c1=sure'] }, { found: 'sure' }],
    ['a machine proof without a check', { minProofs: ['c1=machine'] }, { expected: 'self or independent' }],
    ['a strength for nobody', { minProofs: ['c7=self'] }, { expected: 'an id of: c1' }],
  ];

  test.each(REFUSED)('are refused with %s', (_name, given, facts) => {
    expect(criteriaOf(words(given))).toMatchObject({ exit: 2, code: 'invalid_value', ...facts });
  });

  test('are shown with what would prove them', () => {
    const made = criteriaOf(words({ texts: ['It adds up', 'It is quick'], checks: ['c1=npm test'] }));
    expect('type' in made ? made : criterionLines(made)).toEqual([
      'c1           It adds up  (check: npm test)',
      'c2           It is quick  (proof: self or stronger)',
    ]);
  });
});

describe('a delivery target (D25)', () => {
  test('has short names, and a branch where it goes into one', () => {
    expect(
      ['response', 'branch', 'files', 'pr', 'pr:dev', 'merge', 'merge:a:b'].map((text) => deliveryOf(text)),
    ).toEqual([
      { target: 'response' },
      { target: 'workspace_files' },
      { target: 'workspace_files' },
      { target: 'pull_request' },
      { target: 'pull_request', branch: 'dev' },
      { target: 'merge' },
      { target: 'merge', branch: 'a:b' },
    ]);
    expect(deliveryOf('pr', 'main')).toEqual({ target: 'pull_request', branch: 'main' });
  });

  test.each(['email', 'constructor', 'response:x', 'pr:', ''])('is refused as %j', (text) => {
    expect(deliveryOf(text)).toMatchObject({ exit: 2, found: text });
  });
});

describe('a budget (D26)', () => {
  test('names money, tokens, requests and time, each once', () => {
    expect(readBudget('5usd,200k,50req,2h')).toEqual({
      costMicros: 5_000_000,
      tokens: 200_000,
      requests: 50,
      wallClockSec: 7_200,
    });
    expect(readBudget('$0.5, 2M, 90m')).toEqual({ costMicros: 500_000, tokens: 2_000_000, wallClockSec: 5_400 });
    expect(readBudget('500tok,90s')).toEqual({ tokens: 500, wallClockSec: 90 });
  });

  test.each(['5', '5eur', '-5usd', '0usd', '0.0000001usd', '5usd,6usd', '', '5usd,', 'toString'])(
    'is refused as %j, never clamped',
    (text) => {
      expect(readBudget(text)).toMatchObject({ type: 'failure', exit: 2 });
    },
  );

  test('is said with what has no limit', () => {
    expect(limitsText(DEFAULT_LIMITS)).toBe('no limit of money, 20.00M tokens, 1000 requests, no limit of time');
    expect(limitsText({ ...DEFAULT_LIMITS, costMicros: 500_000, wallClockSec: 5_400 })).toBe(
      '$0.50, 20.00M tokens, 1000 requests, 1h 30m of Runs',
    );
  });
});
