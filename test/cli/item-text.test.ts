import { describe, expect, test } from 'vitest';
import { itemText } from '../../src/cli/render/item.ts';
import { liveFrame } from '../../src/cli/render/live.ts';
import { widthOf } from '../../src/cli/render/text.ts';
import { itemReport } from '../../src/cli/report.ts';
import { action, checked, completed, criterion } from '../core/builders.ts';
import { type Scenario, scenario } from '../core/scenario.ts';
import { plainView, rowsOf, trimmed } from './support.ts';

const page = (made: Scenario, columns = 80): string =>
  trimmed(itemText(made.item, rowsOf(made.itemId, made.events), plainView(made.now + 5_000, columns)));

const report = (made: Scenario) => itemReport(made.item, rowsOf(made.itemId, made.events));

const TWO = {
  title: 'Make the payment endpoint idempotent',
  criteria: [
    checked('c1', { text: 'The tests pass' }),
    criterion('c2', { text: 'A second request with the same key returns the first answer' }),
  ],
  actions: [
    action('fix', { for: ['c1', 'c2'], name: 'Fix the handler' }),
    action('docs', { dependsOn: ['fix'], name: 'Describe it', workspace: 'read' }),
  ],
};

/** Claimed green, refused by the engine's own check. */
function refused(): Scenario {
  const made = scenario({ ...TWO, actions: TWO.actions.slice(0, 1) });
  made.completes('fix');
  made.verifies({ c1: 'wrong_exit' });
  return made;
}

function done(): Scenario {
  const made = scenario({ ...TWO, actions: TWO.actions.slice(0, 1) });
  made.completes('fix');
  made.verifies({ c1: 'passed' }, ['red_to_green', 'not_sandboxed']);
  made.publish();
  return made;
}

describe('the page of an item', () => {
  test('answers in order: what is proven, what is being done, what it cost', () => {
    const made = scenario(TWO);
    made.start('fix');
    expect(page(made)).toMatchInlineSnapshot(`
      "Make the payment endpoint idempotent                                      item-1
      0 of 2 proven. Fix the handler is running.

      Proof  ··  ■ machine  ▣ independent  ▢ self  ✕ failed  ~ stale  · missing
        · c1   The tests pass                                              missing
               would be proven by: npm test
        · c2   A second request with the same key returns the first        missing
               answer
               would be proven by an Action that is for it

      Actions
        ● fix   Fix the handler  running 5.0 s
        ○ docs  Describe it      waits for fix

      Cost
        0 ms of Runs · requests, tokens and money unmetered
        sandbox: bubblewrap, all of it enforced"
    `);
  });

  test('begins with what needs a person and how to answer it, and names the refused claim (D23)', () => {
    expect(page(refused())).toMatchInlineSnapshot(`
      "Make the payment endpoint idempotent                                      item-1
      1 of 2 proven. Waiting for you: Not proven: c1. What now?

      Needs you
        ? r1  Not proven: c1. What now?                                      5s ago
              │ c1 is failed: wrong_exit (exit 1): log
              workcenter answer item-1 r1 retry | verify | stop
              retry: once more · verify: run the checks again · stop: cancel the item,
              keep its work

      Proof  ✕▢  ■ machine  ▣ independent  ▢ self  ✕ failed  ~ stale  · missing
        ✕ c1   The tests pass                              failed  5s ago  verify-1 #1
               npm test → exit 1, 5 ms, at head
               │ log
        ▢ c2   A second request with the same key returns  self    2m ago  fix #1
               the first answer
               said by fix #1: seen

      Actions
        ✓ fix       Fix the handler    completed in 0 ms  1/3 attempts
               Run #1 claimed c1; the engine's own check said exit 1
               │ log
        ✓ verify-1  Verify the result  completed in 0 ms  1/3 attempts

      Cost
        2.0 s of Runs · requests, tokens and money unmetered
        sandbox: bubblewrap, all of it enforced"
    `);
  });

  test('says what a receipt lacks and where the result is', () => {
    expect(page(done())).toMatchInlineSnapshot(`
      "Make the payment endpoint idempotent                                      item-1
      Done. 2 of 2 proven. Published as workcenter/item-1.

      Proof  ■▢  ■ machine  ▣ independent  ▢ self  ✕ failed  ~ stale  · missing
        ■ c1   The tests pass                             machine  5s ago  verify-1 #1
               npm test → exit 0, 5 ms, at head · red→green, not sandboxed
        ▢ c2   A second request with the same key         self     2m ago  fix #1
               returns the first answer
               said by fix #1: seen

      Actions
        ✓ fix       Fix the handler    completed in 0 ms  1/3 attempts
        ✓ verify-1  Verify the result  completed in 0 ms  1/3 attempts

      Result
        branch workcenter/item-1 at base+fix
        repository /repo
        take it: git merge workcenter/item-1

      Cost
        2.0 s of Runs · requests, tokens and money unmetered
        sandbox: bubblewrap, all of it enforced"
    `);
  });

  test('says which Action waits for time that running ones have reserved (D26)', () => {
    const limits = { wallClockSec: 3_600 };
    const actions = [action('fix', { for: ['c1', 'c2'], timeoutSec: 3_600 }), action('more')];
    const made = scenario({ ...TWO, limits, actions });
    made.start('fix');
    expect(page(made)).toMatch(/more .*waits for room in budget\.wallClock/);
  });

  test('names the paths of a conflict (D32)', () => {
    const made = scenario({
      ...TWO,
      actions: [action('a', { for: ['c1', 'c2'] }), action('b', { workspace: 'isolated-write' })],
    });
    made.start('a', 'b');
    made.settle('a', completed(['c1', 'c2']));
    made.settle('b', completed());
    made.merge('a');
    made.conflict('b');
    expect(page(made)).toContain('conflicts with the item branch in x.txt');
  });

  test('never grows wider than the terminal', () => {
    const long = 'w '.repeat(100).trim();
    const made = scenario({ ...TWO, title: long, criteria: [checked('c1', { text: long }), ...TWO.criteria.slice(1)] });
    made.start('fix');
    for (const columns of [60, 80, 120]) {
      const wide = page(made, columns)
        .split('\n')
        .filter((line) => widthOf(line) > columns && !line.startsWith('Proof'));
      expect({ columns, wide }).toEqual({ columns, wide: [] });
    }
  });

  test('shows no control characters of a process (untrusted text)', () => {
    const made = scenario({ ...TWO, title: 'evil \u001b[2J\u202etitle\u0007' });
    made.start('fix');
    made.settle('fix', { kind: 'failed', code: 'broken', error: 'red \u001b[31m alert\u001b]0;x\u0007' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(page(made)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });
});

describe('the report for programs', () => {
  test('has the documented shape', () => {
    expect(Object.keys(report(done()))).toMatchInlineSnapshot(`
      [
        "id",
        "title",
        "status",
        "sentence",
        "goal",
        "criteria",
        "actions",
        "requests",
        "hold",
        "directory",
        "workspace",
        "repository",
        "branch",
        "commit",
        "delivery",
        "landing",
        "pullRequest",
        "plan",
        "parked",
        "operations",
        "attachments",
        "residualRisks",
        "result",
        "cost",
        "limits",
        "enforcement",
        "versions",
        "createdAt",
        "updatedAt",
        "startedAt",
        "endedAt",
      ]
    `);
  });

  test('says which claims were refused, by Run and receipt', () => {
    expect(report(refused()).actions).toMatchObject([
      { id: 'fix', refusedClaims: [{ criterionId: 'c1', ordinal: 1, verdict: 'wrong_exit' }] },
      { type: 'verify', refusedClaims: [] },
    ]);
  });

  test('refuses nothing after the fact: a claim that a later check confirmed is not listed', () => {
    expect(report(done()).actions).toMatchObject([{ refusedClaims: [] }, { refusedClaims: [] }]);
  });

  test('an Action begins with its first Run and ends with its last', () => {
    const made = scenario(TWO);
    made.retries('fix');
    const first = made.now;
    made.completes('fix');
    expect(report(made).actions).toMatchObject([
      { startedAt: new Date(first).toISOString(), endedAt: new Date(made.now).toISOString() },
      { startedAt: null, endedAt: null },
    ]);
  });
});

describe('the live block', () => {
  const frame = (made: Scenario, rows: number, columns: number) =>
    liveFrame(made.item, rowsOf(made.itemId, made.events), {
      ...plainView(made.now + 5_000, columns),
      rows,
      tails: new Map(made.item.runs.map((run) => [run.id, 'one\ntwo\nthree\nfour\n'])),
    });

  test('shows Actions, the tail of what runs, proof, time and the sentence', () => {
    const made = scenario(TWO);
    made.start('fix');
    expect(trimmed(frame(made, 24, 80).join('\n'))).toMatchInlineSnapshot(`
      "Make the payment endpoint idempotent                                      item-1
      ··  0 of 2 proven   elapsed 5.0 s · 5.0 s of Runs

        ● fix   Fix the handler  running 5.0 s
            │ two
            │ three
            │ four
        ○ docs  Describe it      waits for fix

      0 of 2 proven. Fix the handler is running."
    `);
  });

  test('fits every terminal, whatever the number of Actions', () => {
    const actions = Array.from({ length: 60 }, (_, index) => action(`a${index}`, { for: ['c1', 'c2'] }));
    const made = scenario({ ...TWO, actions });
    made.start('a1', 'a2', 'a40');
    for (const rows of [10, 24, 50]) {
      for (const columns of [40, 80, 120]) {
        const lines = frame(made, rows, columns);
        expect(lines.length).toBeLessThan(rows);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
        if (rows > 10) expect(lines.join('\n')).toContain('a40');
      }
    }
  });
});
