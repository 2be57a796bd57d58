import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = new URL('../../src/', import.meta.url).pathname;
const map = readFileSync(join(source, 'README.md'), 'utf8');
const quoted = [...map.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const words = new Set(sources.flatMap((name) => readFileSync(join(source, name), 'utf8').match(/[A-Za-z]\w+/g) ?? []));

test('every file that the map of the source names is there', () => {
  const files = quoted.filter((name) => name.includes('/') && name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => !existsSync(join(source, name)))).toEqual([]);
});

test('every function that the map of the source names is there', () => {
  const names = quoted.filter((name) => /^[A-Za-z]\w+$/.test(name));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test('every layer is on the map', () => {
  const layers = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(layers.filter(({ name }) => !map.includes(`- **\`${name}/\`**`)).map(({ name }) => name)).toEqual([]);
});
