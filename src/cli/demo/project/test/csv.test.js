import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv, readFields } from '../src/csv.js';

test('keeps a comma inside quotes', () => {
  assert.deepEqual(readFields('Smith & Co,"bolts, steel",2'), ['Smith & Co', 'bolts, steel', '2']);
});

test('reads two quotes inside quotes as one', () => {
  assert.deepEqual(readFields('"pipe 3"" wide",4'), ['pipe 3" wide', '4']);
  assert.deepEqual(readFields('"say ""hello""",""'), ['say "hello"', '']);
});

test('names fields by the first line', () => {
  assert.deepEqual(readCsv('a,b\r\n1,2\r\n\r\n'), [{ a: '1', b: '2' }]);
});

test('says what is wrong with a record', () => {
  assert.throws(() => readCsv('a,b\n1'), /expected 2 fields, found 1/);
  assert.throws(() => readFields('"open'), /a quote is not closed/);
});
