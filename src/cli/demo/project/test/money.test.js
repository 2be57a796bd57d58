import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoney, roundCents, shareOut, writeMoney } from '../src/money.js';

test('reads amounts as whole cents', () => {
  assert.equal(readMoney('12.5'), 1250);
  assert.equal(readMoney('-0.07'), -7);
  assert.throws(() => readMoney('12,50'), RangeError);
});

test('rounds to the nearest cent', () => {
  assert.equal(roundCents(149.4), 149);
  assert.equal(roundCents(149.5), 150);
});

test('rounds half a cent of a credit note away from zero, like that of its invoice', () => {
  assert.equal(roundCents(2.5), 3);
  assert.equal(roundCents(-2.5), -3);
  assert.equal(roundCents(-149.5), -150);
});

test('shares an amount so that the parts add up', () => {
  assert.deepEqual(shareOut(100, [1, 1, 1]), [33, 34, 33]);
  assert.deepEqual(shareOut(5, [0, 0]), [0, 0]);
});

test('writes cents with thousands', () => {
  assert.equal(writeMoney(1234567), '12,345.67');
  assert.equal(writeMoney(-5), '-0.05');
});
