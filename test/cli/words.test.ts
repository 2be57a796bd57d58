import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/cli/answer.ts';
import { meantBy } from '../../src/cli/commands/answer.ts';
import { noPattern } from '../../src/cli/commands/approve.ts';
import { notLimited } from '../../src/cli/commands/extend.ts';
import { contractText, readContract } from '../../src/cli/contract-file.ts';
import { failureJson, failureOf, rejected, sayFailure } from '../../src/cli/errors.ts';
import { newItemId } from '../../src/cli/item-id.ts';
import { choiceOption, durationOption, wholeOption } from '../../src/cli/options.ts';
import { diffLines, lineDiff } from '../../src/cli/render/line-diff.ts';
import { listText } from '../../src/cli/render/list.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import { eventLine, newTelling } from '../../src/cli/render/timeline.ts';
import { settingValue } from '../../src/cli/settings-keys.ts';
import type { HumanRequest } from '../../src/core/index.ts';
import { reject } from '../../src/core/index.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { action, check, checked, contract, criterion } from '../core/builders.ts';
import { coordinated, create, decides, work } from '../core/coordinator.ts';
import { ENGINE, scenario } from '../core/scenario.ts';

describe('a failure', () => {
  test('says what was expected, what was found and what to do next, with its code', () => {
    const refusal = reject('generation_stale', 'It moved on.', { expected: 'a', found: 'b', next: 'Read it again.' });
    expect(sayFailure(rejected(refusal), PLAIN)).toBe(
      '✕ It moved on. (generation_stale)\n  expected  a\n  found     b\n  next      Read it again.',
    );
    expect(failureJson(rejected(refusal))).toEqual({
      error: { code: 'generation_stale', message: 'It moved on.', expected: 'a', found: 'b', next: 'Read it again.' },
    });
  });

  test('has an exit code that tells its kind', () => {
    const exits = (['item_not_found', 'invalid_plan', 'item_held', 'store_busy', 'user_required'] as const).map(
      (code) => rejected(reject(code, '')).exit,
    );
    expect(exits).toEqual([4, 2, 3, 7, 3]);
    expect(failureOf(new StoreError('store_newer_schema', 'newer'))).toMatchObject({
      exit: 7,
      code: 'store_newer_schema',
    });
    expect(failureOf(new Error('boom'))).toMatchObject({ exit: 1, code: 'internal' });
  });
});

describe('an option', () => {
  const input = (options: Record<string, unknown>) => ({ args: [], options });

  test('is refused out of range, never clamped (D3)', () => {
    expect(wholeOption(input({ attempts: '3' }), 'attempts', 1, 5)).toBe(3);
    for (const text of ['0', '6', '-1', '1.5', 'x', '']) {
      expect(wholeOption(input({ attempts: text }), 'attempts', 1, 5)).toMatchObject({ exit: 2, expected: '1..5' });
    }
  });

  test('a duration has a unit, or counts seconds', () => {
    const read = (text: string) => durationOption(input({ wallClock: text }), 'wallClock');
    expect(['90', '90s', '15m', '2h', '7d'].map(read)).toEqual([90, 90, 900, 7_200, 604_800]);
    expect(['0', '-1h', '1w', '1.5h', 'h'].map((text) => isFailure(read(text)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(read('-1h')).toMatchObject({ message: '--wall-clock cannot be "-1h".' });
  });

  test('one of a list names the list when it is none of it', () => {
    expect(choiceOption(input({ dirty: 'ask' }), 'dirty', ['refuse', 'snapshot'])).toMatchObject({
      expected: 'refuse, snapshot',
      found: 'ask',
    });
  });

  test('a setting is refused by name and by value', () => {
    expect(settingValue('concurrency', '65')).toMatchObject({ code: 'invalid_setting', expected: '1..64' });
    expect(settingValue('colour', 'red')).toMatchObject({ code: 'unknown_setting', exit: 2 });
    expect(settingValue('sandbox', 'off')).toBe('off');
  });
});

describe('an answer (D16)', () => {
  const asks = (...choices: HumanRequest['choices']): HumanRequest => ({
    id: 'r1',
    kind: 'question',
    subject: { kind: 'proof_missing' },
    question: 'What now?',
    details: [],
    choices,
    openedAt: 0,
  });

  test('is a choice, with words behind it', () => {
    expect(meantBy(asks('retry', 'stop'), ['retry'])).toEqual({ choice: 'retry', text: '' });
    expect(meantBy(asks('retry', 'stop'), ['retry', 'with', 'care'])).toEqual({ choice: 'retry', text: 'with care' });
  });

  test('is words where words are asked for, also when they begin like a choice', () => {
    expect(meantBy(asks('text', 'stop'), ['stop', 'the', 'timer', 'first'])).toEqual({
      choice: 'text',
      text: 'stop the timer first',
    });
    expect(meantBy(asks('text', 'stop'), ['stop'])).toEqual({ choice: 'stop', text: '' });
  });

  test('that was not offered is refused with what was', () => {
    expect(meantBy(asks('retry', 'stop'), ['maybe'])).toMatchObject({
      code: 'choice_not_offered',
      expected: 'retry, stop',
    });
  });
});

describe('the contract as a person edits it', () => {
  const full = contract({
    title: 'A title: with a colon',
    goal: 'First line\nSecond line',
    instructions: 'Be careful.',
    setup: { run: 'npm ci', inputs: ['package-lock.json'], network: 'all', timeoutSec: 600 },
    criteria: [
      checked('c1', { minProof: 'machine', check: check('npm test', { protect: ['test/**'], env: { CI: '1' } }) }),
      criterion('quiet', { text: 'It says "nothing": # really', minProof: 'independent' }),
    ],
    delivery: { target: 'merge', branch: 'main' },
  });

  test('reads back as the same contract', () => {
    expect(readContract(contractText(full), full)).toEqual(full);
  });

  test('points at the line of a mistake', () => {
    const broken = contractText(full).replace('expectExit: 0', 'expectExit: 900');
    const line = broken.split('\n').findIndex((text) => text.includes('900')) + 1;
    expect(readContract(broken, full)).toMatchObject({
      code: 'invalid_plan',
      problems: [{ line, expected: '0..255', found: '900' }],
    });
  });

  test('shows a change as lines gone and new', () => {
    const lines = diffLines(lineDiff('a\nb\nc\nd\ne\nf', 'a\nb\nc\nD\ne\nf'), PLAIN);
    expect(lines).toEqual(['  b', '  c', '- d', '+ D', '  e', '  f']);
    expect(lineDiff('a', 'a')).toEqual([{ kind: 'same', text: 'a' }]);
  });
});

describe('the timeline', () => {
  test('tells each event in one plain sentence', () => {
    const made = scenario({ actions: [action('fix', { for: ['c1'] })] });
    made.retries('fix');
    made.completes('fix');
    made.verifies({ c1: 'passed' });
    made.publish();
    const telling = newTelling();
    const lines = made.events.map((event) => eventLine(event, telling, { now: made.now, paint: PLAIN })?.slice(10));
    expect(lines).toMatchInlineSnapshot(`
      [
        "Created with 1 criterion and 1 Action.",
        "Started.",
        "fix: Run #1 begins.",
        "fix: works from base.",
        "fix: Run #1 did not succeed and may be tried again (exit) after 0 ms. exit 1",
        "fix: Run #2 begins.",
        "fix: works from base.",
        "fix: Run #2 completed after 0 ms. It is done.",
        "fix is merged, the item branch is at base+fix.",
        "The engine added verify-1.",
        "verify-1: Run #1 begins.",
        "verify-1: works from base+fix.",
        "verify-1: Run #1 completed after 0 ms. 1 check passed.",
        "Published as workcenter/item-1 at base+fix.",
        "Done. 1 criterion is proven.",
      ]
    `);
  });
});

describe('a pattern (D16)', () => {
  const asking = (pattern: string, times: number) => {
    const made = coordinated();
    decides(made, [create(work('a'))]);
    made.start('a');
    for (let time = 1; time <= times; time += 1) {
      const approval = { tool: 'shell', call: 'git push', directory: '/repo', key: `key-${time}`, pattern };
      if (time > 1) made.answer('tool_approval', 'approve');
      made.does({ type: 'AskApproval', fence: made.fence('a'), approval, risk: '' }, { principal: ENGINE });
    }
    return noPattern(made.item, made.request('tool_approval'));
  };

  test('is refused at the first asking, with when it may be allowed and what to do now', () => {
    expect(asking('"git push *"', 1)).toMatchObject({
      code: 'choice_not_offered',
      message: 'A pattern may be allowed from the second asking of an Action on, and r1 is the first of a.',
      expected: 'approve, deny, stop',
      next: 'Allow this one call: workcenter approve item-1 r1',
    });
  });

  test('may be allowed at the second, if one can be made of the call', () => {
    expect(asking('"git push *"', 2)).toBeUndefined();
    expect(asking('', 2)?.message).toBe('No pattern can be made of the call that r2 asks about.');
  });
});

describe('an extension (D26)', () => {
  const { item } = scenario();

  test('of a limit that the item has not is refused: which it is, and what to do instead', () => {
    expect(notLimited(item, { costMicros: 5, tokens: 5 })).toMatchObject({
      code: 'nothing_changed',
      message: 'Item item-1 has no limit of money, so nothing can be added to it.',
      expected: 'a limit that it has: requests, tokens, attempts',
      next: expect.stringContaining('Leave money out'),
    });
    const timed = { ...item, limits: { ...item.limits, wallClockSec: 60 } };
    expect(notLimited(timed, { costMicros: 5 })?.expected).toContain('attempts, time');
    expect(notLimited(item, { costMicros: 5, wallClockSec: 5 })?.message).toContain('money and time');
  });

  test('of limits that it has is not', () => {
    expect(notLimited(item, { tokens: 5, requests: 5, attempts: 1, runRequests: 1 })).toBeUndefined();
    const limits = { ...item.limits, costMicros: 1, wallClockSec: 1 };
    expect(notLimited({ ...item, limits }, { costMicros: 5, wallClockSec: 5 })).toBeUndefined();
  });
});

describe('an edit of the contract', () => {
  test('is told in words', () => {
    const made = scenario();
    const contract = { ...made.item.contract, goal: 'another one' };
    made.does({ type: 'EditContract', contractVersion: 1, contract });
    const edited = made.events.filter(({ body }) => body.type === 'ContractEdited');
    const lines = edited.map((event) => eventLine(event, newTelling(), { now: made.now, paint: PLAIN })?.slice(10));
    expect(lines).toEqual(['The contract was edited: the goal.']);
  });
});

describe('the list', () => {
  const counts = { needs_you: 0, active: 0, done: 0, draft: 0 };
  const view = { now: 10_000, columns: 80, paint: PLAIN, filtered: false };
  const item = {
    id: 'k3v9x2m1qa',
    version: 3,
    title: 'Fix it',
    directory: '/repo',
    lifecycle: 'open',
    lane: 'needs_you',
    proven: 1,
    total: 3,
    costLimitMicros: null,
    openRequests: 1,
    running: 0,
    usage: { wallMs: 0, requests: 0, tokens: 0, costMicros: 0, unpriced: 0, metered: true },
    createdAt: 0,
    updatedAt: 5_000,
    statusSentence: '1 of 3 proven. Waiting for you: which branch?',
  } as const;

  test('teaches by example when it is empty', () => {
    expect(listText({ items: [], counts }, view)).toContain('workcenter demo');
  });

  test('shows the count of each lane, and of each item proof and sentence', () => {
    expect(listText({ items: [item], counts: { ...counts, needs_you: 1 } }, view)).toMatchInlineSnapshot(`
      "1 needs you · 0 active · 0 done · 0 drafts

      k3v9x2m1qa  Fix it        1/3  5s ago  ■··
          1 of 3 proven. Waiting for you: which branch?"
    `);
  });

  test('shows an item that cannot be read, with the reason', () => {
    const broken = { ...item, quarantined: 'event 3 is not JSON' };
    expect(listText({ items: [broken], counts: { ...counts, needs_you: 1 } }, view)).toContain('event 3 is not JSON');
  });
});

describe('an item id', () => {
  test('is short, readable aloud and differs from the first letters on', () => {
    const ids = Array.from({ length: 500 }, newItemId);
    expect(new Set(ids).size).toBe(500);
    expect(ids.every((id) => /^[2-9b-df-hjkmnp-tv-xz]{10}$/.test(id))).toBe(true);
    expect(new Set(ids.map((id) => id.slice(0, 3))).size).toBeGreaterThan(400);
  });
});
