import { randomInt } from 'node:crypto';

/** No vowels and nothing that looks like something else: no words by chance, easy to read out. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxz';
const LENGTH = 10;

/** Random from the first letter, so that a short prefix is enough to name an item. */
export const newItemId = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
