import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tests = new URL('../', import.meta.url).pathname;

/** A reason why nothing, or not all, is tested. */
const REASON = /^(needs a model: issue 3|needs HTTP: issue 4|(not yet|by design): \S.+)$/;
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

test('an entry that names no test and gives no reason is refused', () => {
  expect(wrongWith('`checks/scenarios.test.ts`: an entry that names no test and gives no reason is refused')).toBe(
    undefined,
  );
  expect(wrongWith('`checks/scenarios.test.ts`: an entry')).toContain('no such test');
  expect(wrongWith('`checks/gone.test.ts`: an entry')).toContain('no such file');
  expect(wrongWith('tested by hand')).toContain('neither');
  expect(wrongWith('not yet: ')).toContain('neither');
});
