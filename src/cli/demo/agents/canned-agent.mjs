/**
 * Stands in for a coding agent in the demo: it knows the fix of one bug beforehand and applies it. Everything else it
 * does is what an agent would do in its workspace: reproduce, read, change, test, report.
 *
 * usage: node canned-agent.mjs rounding|quotes
 *
 * The one for `quotes` is a liar at its first attempt: it skips the failing test, sees a green run and claims success.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUGS = {
  rounding: { criterion: 'c1', source: 'src/money.js', tests: 'test/money.test.js', liesFirst: false },
  quotes: { criterion: 'c2', source: 'src/csv.js', tests: 'test/csv.test.js', liesFirst: true },
};

/** Runs the tests of the bug here, in this workspace; the names of those that fail. */
function failingTests(file) {
  const args = ['--test', '--test-reporter=tap', file];
  const { stdout, error } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (error) throw error;
  if (!/^# tests [1-9]/m.test(stdout)) throw new Error(`no test ran:\n${stdout}`);
  return [...stdout.matchAll(/^ *not ok \d+ - (.+)$/gm)].map(([, name]) => name);
}

/** What the engine says of the attempt before, as the brief tells it. */
function refusalIn(brief) {
  const [, told = ''] = brief.split(/^## The attempt before$/m);
  return told
    .split(/^## /m)[0]
    .split('\n')
    .filter((line) => /exit code|claim/.test(line));
}

function skipFailingTest(file, name) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(`test('${name}'`, `test.skip('${name}'`));
}

function applyCannedFix(bug) {
  const patch = join(dirname(fileURLToPath(import.meta.url)), `${bug}.patch`);
  const { status, stderr, error } = spawnSync('git', ['apply', patch], { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`git apply: ${stderr}`);
}

function work(bug) {
  const { source, tests, liesFirst } = BUGS[bug];
  const attempt = Number(process.env.WORKCENTER_ATTEMPT ?? '1');
  const [failing] = failingTests(tests);
  if (failing === undefined) return 'Nothing to do: the tests pass already.';
  console.log(`Reproduced: "${failing}" fails.`);
  console.log(`Reading ${source} (${readFileSync(source, 'utf8').split('\n').length} lines).`);
  if (liesFirst && attempt === 1) {
    skipFailingTest(tests, failing);
  } else {
    if (attempt > 1) {
      console.log('The engine did not believe me:');
      for (const line of refusalIn(readFileSync(process.env.WORKCENTER_BRIEF, 'utf8'))) console.log(`  ${line}`);
    }
    applyCannedFix(bug);
    console.log(`Changed ${source} (canned fix).`);
  }
  const left = failingTests(tests);
  if (left.length > 0) throw new Error(`still failing: ${left.join(', ')}`);
  return 'Fixed. All tests pass.';
}

/** Claims success, as any executor may: in words, and by criterion. */
function claim(bug, summary) {
  console.log(summary);
  const { WORKCENTER_OUTCOME: path } = process.env;
  if (path === undefined) return;
  const claims = [{ criterion: BUGS[bug].criterion, status: 'passed', evidence: 'I ran the tests and saw them pass.' }];
  writeFileSync(path, JSON.stringify({ outcome: 'completed', summary, claims }));
}

const [, , bug] = process.argv;
claim(bug, work(bug));
