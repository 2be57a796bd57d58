import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoicesFromCsv } from '../src/index.js';
import { invoices } from '../src/invoice.js';

const ORDERS = [
  'customer,article,quantity,price,rate',
  'Ada,"bolts, steel",100,0.05,A',
  'Ben,manual,1,20,B',
  'Ada,drill,1.5,40,A',
].join('\n');

test('makes one invoice per customer', () => {
  const orders = [
    { customer: 'Ada', article: 'a', quantity: '1', price: '1', rate: 'Z' },
    { customer: 'Ben', article: 'b', quantity: '2', price: '1', rate: 'Z' },
    { customer: 'Ada', article: 'c', quantity: '3', price: '1', rate: 'Z' },
  ];
  assert.deepEqual(
    invoices(orders).map(({ customer, grossCents }) => [customer, grossCents]),
    [
      ['Ada', 400],
      ['Ben', 200],
    ],
  );
});

test('prints invoices from a list of orders', () => {
  assert.equal(
    invoicesFromCsv(ORDERS),
    [
      'Ada',
      'bolts, steel  100   5.00',
      'drill         1.5  60.00',
      'net                65.00',
      'tax                12.35',
      'total              77.35',
      '',
      'Ben',
      'manual  1  20.00',
      'net        20.00',
      'tax         1.40',
      'total      21.40',
    ].join('\n'),
  );
});
