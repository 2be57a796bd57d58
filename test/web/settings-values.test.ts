import { describe, expect, it } from 'vitest';
import { singly } from '../../web/src/api/singly.ts';
import { extension, isBudget, unitOf } from '../../web/src/inbox/extension.ts';
import { draftAfter } from '../../web/src/settings/draft-after.ts';
import { read, typedOf } from '../../web/src/settings/table.ts';
import { namesAt, valueAt, withValue } from '../../web/src/settings/tree.ts';

describe('the tree of settings', () => {
  const tree = { concurrency: 3, models: { tags: { fast: 'a/b' } }, prices: { 'a/b.c': { input: 1, output: 2 } } };

  it('is read and changed at a path, and names may hold dots', () => {
    expect(valueAt(tree, ['models', 'tags', 'fast'])).toBe('a/b');
    expect(valueAt(tree, ['models', 'byType', 'review'])).toBeUndefined();
    expect(withValue(tree, ['prices', 'a/b.c'], undefined)).toEqual({
      concurrency: 3,
      models: { tags: { fast: 'a/b' } },
    });
    expect(withValue(tree, ['models', 'coordinator'], 'x/y').models).toEqual({
      tags: { fast: 'a/b' },
      coordinator: 'x/y',
    });
    expect(namesAt(tree, ['prices'])).toEqual(['a/b.c']);
  });

  it('loses branches that are left empty, and what it was made of stays as it was', () => {
    expect(withValue({ models: { tags: { fast: 'a/b' } } }, ['models', 'tags', 'fast'], undefined)).toEqual({});
    expect(withValue({}, ['limits', 'usd'], undefined)).toEqual({});
    expect(tree.models.tags.fast).toBe('a/b');
  });

  it('has no names but its own', () => {
    expect(valueAt({}, ['constructor'])).toBeUndefined();
    expect(valueAt({}, ['__proto__', 'x'])).toBeUndefined();
  });
});

describe('what is typed for a setting', () => {
  it.each([
    [{ as: 'count', min: 1, max: 64 } as const, ' 7 ', 7],
    [{ as: 'count', min: 1, max: 64 } as const, '65', undefined],
    [{ as: 'count', min: 1, max: 64 } as const, '1.5', undefined],
    [{ as: 'count', min: 0, max: 64 } as const, ' ', undefined],
    [{ as: 'count', min: 1, max: 9e9 } as const, '200,000', 200_000],
    [{ as: 'count', min: 1, max: 9e9 } as const, '200.000', undefined],
    [{ as: 'amount' } as const, '2.50', 2.5],
    [{ as: 'amount' } as const, '1,000.5', 1_000.5],
    [{ as: 'amount' } as const, '0', undefined],
    [{ as: 'amount' } as const, 'Infinity', undefined],
    [{ as: 'switch' } as const, 'false', false],
    [{ as: 'text' } as const, '  ', undefined],
    [{ as: 'long' } as const, ' Keep it short. ', 'Keep it short.'],
  ])('%j: %j is %j', (kind, typed, value) => expect(read(kind, typed)).toBe(value));

  it('is shown as it is stored', () => {
    expect([undefined, null, 0, false, 'x'].map(typedOf)).toEqual(['', '', '0', 'false', 'x']);
  });
});

describe('what is typed for a setting while it is saved', () => {
  const kind = { as: 'count', min: 1, max: 64 } as const;

  it('is left to save where it is something else, against what was saved', () => {
    expect(draftAfter({ typed: '7', base: 3 }, kind, 7)).toBeUndefined();
    expect(draftAfter({ typed: ' 7 ', base: 3 }, kind, 7)).toBeUndefined();
    expect(draftAfter({ typed: '', base: 3 }, kind, undefined)).toBeUndefined();
    expect(draftAfter({ typed: '78', base: 3 }, kind, 7)).toEqual({ typed: '78', base: 7 });
    expect(draftAfter({ typed: 'seven', base: 3 }, kind, 7)).toEqual({ typed: 'seven', base: 7 });
  });
});

it('what has no key is done once, however fast it is clicked, and again when it has ended, well or not', async () => {
  const ends: ((isWell: boolean) => void)[] = [];
  const press = singly(
    () => new Promise<void>((well, badly) => ends.push((isWell) => (isWell ? well() : badly(new Error('refused'))))),
  );
  for (const isWell of [true, false, true]) {
    const before = ends.length;
    press(undefined);
    press(undefined);
    expect(ends.length).toBe(before + 1);
    ends.at(-1)?.(isWell);
    await Promise.resolve();
    await Promise.resolve();
  }
});

describe('what is added to a budget', () => {
  it('rule 4.9-35: is counted in the units of the server; what is no amount, or too large to be counted, is none', () => {
    expect(extension('costMicros', '2.5')).toEqual({ costMicros: 2_500_000 });
    expect(extension('wallClockSec', '90')).toEqual({ wallClockSec: 5_400 });
    for (const typed of ['', '0', '-1', 'x', '1e300']) expect(extension('tokens', typed), typed).toBeUndefined();
  });

  it('is what the hold has used up', () => {
    expect([unitOf('tokens_exhausted'), isBudget('tokens_exhausted')]).toEqual(['tokens', true]);
    expect([unitOf('user'), isBudget('user')]).toEqual(['costMicros', false]);
  });
});
