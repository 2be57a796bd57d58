import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taxOn, taxTable } from '../src/tax.js';

test('rounds tax once per rate', () => {
  const lines = [
    { rate: 'A', netCents: 33 },
    { rate: 'A', netCents: 33 },
    { rate: 'B', netCents: 100 },
  ];
  assert.deepEqual(taxTable(lines), [
    { rate: 'A', netCents: 66, taxCents: 13 },
    { rate: 'B', netCents: 100, taxCents: 7 },
  ]);
});

test('refuses a rate that does not exist', () => {
  assert.throws(() => taxOn(100, 'X'), /no such tax rate: X/);
});
