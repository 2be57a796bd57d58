import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tests = new URL('../', import.meta.url).pathname;

/** A reason why nothing, or not all, is tested. */
const REASON = /^(needs HTTP: issue 4|(not yet|by design): \S.+)$/;
const REFERENCE = /^`(?<file>[^`]+\.ts)`: (?<title>.+)$/;

interface Row {
  readonly scenario: string;
  readonly entries: readonly string[];
}

/** The rows of all tables, without their heads. */
const rowsOf = (text: string): readonly Row[] =>
  text
    .split('\n')
    .map((line) => /^\| (?<scenario>.+?) \| (?<entries>.+) \|$/.exec(line)?.groups)
    .flatMap((cells) => (cells?.scenario && cells.entries ? [cells as { scenario: string; entries: string }] : []))
    .filter(({ scenario }) => scenario !== 'Scenario' && !scenario.startsWith('---'))
    .map(({ scenario, entries }) => ({ scenario, entries: entries.split('<br>') }));

/** The string literals with which a call begins, as they read. */
const titlesOf = (source: string): ReadonlySet<string> =>
  new Set(
    [...source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1,/g)].map(([, , title = '']) =>
      title.replaceAll(/\\(['"`])/g, '$1'),
    ),
  );

const sources = new Map<string, ReadonlySet<string> | undefined>();

function titlesIn(file: string): ReadonlySet<string> | undefined {
  const path = join(tests, file);
  if (!sources.has(file)) sources.set(file, existsSync(path) ? titlesOf(readFileSync(path, 'utf8')) : undefined);
  return sources.get(file);
}

/** What is wrong with an entry of the table; undefined for a test that is there and for a reason. */
function wrongWith(entry: string): string | undefined {
  if (REASON.test(entry)) return undefined;
  const { file, title } = REFERENCE.exec(entry)?.groups ?? {};
  if (!file || !title) return `neither a test nor a reason: ${entry}`;
  const titles = titlesIn(file);
  if (!titles) return `no such file: ${file}`;
  return titles.has(title) ? undefined : `no such test in ${file}: ${title}`;
}

test('every test that the table of scenarios names is there', () => {
  const rows = rowsOf(readFileSync(join(tests, 'SCENARIOS.md'), 'utf8'));
  expect(rows.length).toBeGreaterThan(90);
  expect(rows.flatMap(({ entries }) => entries.flatMap((entry) => wrongWith(entry) ?? []))).toEqual([]);
});

test('the table of scenarios tells a scenario once', () => {
  const scenarios = rowsOf(readFileSync(join(tests, 'SCENARIOS.md'), 'utf8')).map(({ scenario }) => scenario);
  expect(scenarios.filter((scenario, index) => scenarios.indexOf(scenario) !== index)).toEqual([]);
});

const upTo = (letter: string, last: number): readonly string[] =>
  Array.from({ length: last }, (_, at) => `${letter}${at + 1}`);

/** Those of chapter 4 §9. */
const OUTSIDE: readonly number[] = [...Array(38).keys()].map((at) => at + 1);

/** The rules of the four chapters, as the rows begin; the chapters share some letters. */
const RULES: readonly string[] = [
  ...[...Array(8).keys()].map((at) => `Rule ${15 + at}`),
  ...[...Array(24).keys()].map((at) => `Rule ${25 + at}`),
  ...[...upTo('A', 8), ...upTo('C', 16), ...upTo('G', 14), ...upTo('M', 2), ...upTo('V', 49)],
  ...[...upTo('D', 20), ...upTo('E', 7)].map((handle) => `Chapter 2, ${handle}`),
  ...OUTSIDE.map((number) => `Rule 4.9-${number}`),
];

/** How tests name a rule: by itself, or by the one that a row calls the same. */
function namesOf(rule: string, { scenario }: Row): RegExp {
  const same = [...(/\(as rules? (?<numbers>[\d, ]+)\)/.exec(scenario)?.groups?.numbers ?? '').matchAll(/\d+/g)];
  const numbers = [...same.map(([number]) => number), ...(/^Rule (\d+)$/.exec(rule) ?? []).slice(1)];
  const [, outside] = /^Rule 4\.9-(\d+)$/.exec(rule) ?? [];
  const names = numbers.map((number) => `rules? (?:\\d+, )*${number}\\b`);
  const own = outside === undefined ? `\\b${rule.replace('Chapter 2, ', '')}\\b` : `(?:rule 4\\.9-|§9\\.)${outside}\\b`;
  return new RegExp([...names, own].join('|'));
}

test('every rule of deciding, proof, resources, Runs, tools and the outside has its row, and a test that is named after it or a reason', () => {
  const rows = rowsOf(readFileSync(join(tests, 'SCENARIOS.md'), 'utf8'));
  const lacking = RULES.flatMap((rule) => {
    const own = rows.filter(({ scenario }) => scenario.startsWith(`${rule}:`));
    if (own.length === 0) return [`no row: ${rule}`];
    const isSaid = own.some((row) =>
      row.entries.some((entry) => {
        const file = REFERENCE.exec(entry)?.groups?.file;
        return file ? namesOf(rule, row).test(readFileSync(join(tests, file), 'utf8')) : REASON.test(entry);
      }),
    );
    return isSaid ? [] : [`no test is named after it: ${rule}`];
  });
  expect(lacking).toEqual([]);
});

test('an entry that names no test and gives no reason is refused', () => {
  expect(wrongWith('`checks/scenarios.test.ts`: an entry that names no test and gives no reason is refused')).toBe(
    undefined,
  );
  expect(wrongWith('`checks/scenarios.test.ts`: an entry')).toContain('no such test');
  expect(wrongWith('`checks/gone.test.ts`: an entry')).toContain('no such file');
  expect(wrongWith('tested by hand')).toContain('neither');
  expect(wrongWith('not yet: ')).toContain('neither');
});
