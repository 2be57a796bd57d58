import { describe, expect, it } from 'vitest';
import { microsOf, secondsOf, tokensOf } from '../../web/src/create/amounts.ts';
import { compileForm, proofsFor } from '../../web/src/create/compile-form.ts';
import { fieldOf } from '../../web/src/create/field-of.ts';
import {
  blankCriterion,
  blankForm,
  type Form,
  isBlank,
  LIMITS,
  leftAfter,
  withCheck,
  withDirectory,
  withFoundSetup,
} from '../../web/src/create/form.ts';
import { forgetForm, keepForm, keptForm, keptForms, toldOf } from '../../web/src/create/stored-draft.ts';

const form = (more: Partial<Form> = {}): Form => ({ ...blankForm('/work/shop'), goal: ' Mend it \n', ...more });
const compiled = (more: Partial<Form> = {}) => compileForm(form(more), { start: true });
const row = (text: string, run = '', minProof: Form['criteria'][number]['minProof'] = '') => ({
  ...blankCriterion(text),
  ...{ run, minProof },
});

describe('the form as a body', () => {
  it('says only what was typed: without criteria the goal is its own, and limits are those of the settings', () => {
    expect(compiled()).toEqual({
      item: { goal: 'Mend it', directory: '/work/shop', delivery: { target: 'workspace_files' }, start: true },
    });
  });

  it('leaves out rows that were left empty, and proofs that are impossible', () => {
    const criteria = [row('It is red', 'npm test', 'machine-protected'), row(' '), row('It is read', '', 'machine')];
    expect(compiled({ criteria })).toMatchObject({
      item: {
        criteria: [{ text: 'It is red', check: 'npm test', minProof: 'machine-protected' }, { text: 'It is read' }],
      },
    });
    expect(proofsFor(' ')).toEqual(['self', 'independent']);
  });

  it('has files put back before a protected check, and before no other', () => {
    const protect = ' test/**, *.config.js ';
    const criteria = [
      { ...row('It is red', 'npm test', 'machine-protected'), protect },
      { ...row('It is green', 'npm test', 'machine'), protect },
    ];
    expect(compiled({ criteria })).toMatchObject({
      item: { criteria: [{ check: { run: 'npm test', protect: ['test/**', '*.config.js'] } }, { check: 'npm test' }] },
    });
  });

  it('names every part that cannot be sent, by its place in the form', () => {
    const criteria = [row('x'.repeat(2_000)), row('', 'npm test'), row('y'.repeat(2_001))];
    expect(compiled({ goal: ' ', directory: '', criteria, usd: 'much', hours: '0' })).toEqual({
      faults: [
        { field: 'goal', kind: 'missing' },
        { field: 'directory', kind: 'missing' },
        { field: 'criterion.1', kind: 'missing' },
        { field: 'criterion.2', kind: 'too_long', limit: LIMITS.criterionChars, found: 2_001 },
        { field: 'usd', kind: 'invalid' },
        { field: 'hours', kind: 'invalid' },
      ],
    });
  });

  it('wants the whole path: the server knows neither a home nor a directory that a path could begin at', () => {
    for (const directory of ['~/shop', 'shop', './shop'])
      expect(compiled({ directory })).toEqual({ faults: [{ field: 'directory', kind: 'invalid' }] });
    expect(compiled({ directory: ' /work/shop ' })).toMatchObject({ item: { directory: '/work/shop' } });
  });

  it('sends what was chosen of limits, delivery, files and uncommitted work', () => {
    const files = [{ id: 'f1', name: 'a.png', bytes: 3, expiresAt: '2030-01-01T00:00:00Z' }];
    const more = { usd: '2.5', tokens: '200k', hours: '1,5', allowUnmetered: true, files };
    expect(
      compiled({ ...more, target: 'merge', branch: ' main ', dirty: 'snapshot', inPlace: true, setup: 'npm ci' }),
    ).toMatchObject({
      item: {
        limits: { costMicros: 2_500_000, tokens: 200_000, wallClockSec: 5_400, allowUnmetered: true },
        ...{ delivery: { target: 'merge', branch: 'main' }, attachments: ['f1'] },
        ...{ dirty: 'snapshot', inPlace: true, setup: 'npm ci' },
      },
    });
    expect(compiled({ target: 'response', branch: 'main' })).toMatchObject({
      item: { delivery: { target: 'response' } },
    });
  });

  it('takes text from right to left, emoji, and words without an end', () => {
    const goal = `🚀 שלום ${'x'.repeat(2_000)}`;
    expect(compiled({ goal })).toMatchObject({ item: { goal } });
  });
});

describe('amounts', () => {
  it.each([
    ['', undefined],
    [' $2.50 ', 2_500_000],
    ['0,1', 100_000],
    ['1 000', 1_000_000_000],
    ['12 345,6', 12_345_600_000],
    ["1'000'000", 1_000_000_000_000],
    ['1 5', 'invalid'],
    ['1 0000', 'invalid'],
    ['1 000_000', 'invalid'],
    ['0 500', 'invalid'],
    ['1,000', 1_000_000_000],
    ['1,000.50', 1_000_500_000],
    ['1.000,50', 1_000_500_000],
    ['0.125', 125_000],
    ['0,500', 500_000],
    ['1.000', 'invalid'],
    ['1,00,0', 'invalid'],
    ['9999999999999', 'invalid'],
    ['-1', 'invalid'],
    ['1e9', 'invalid'],
    ['0', 'invalid'],
  ])('reads %j as money', (typed, micros) => expect(microsOf(typed)).toBe(micros));

  it('reads tokens with k and M, and hours', () => {
    const typed = ['200k', '1.5M', '12', '200,000', '1,000,000', '1.000.000', '1,500k'];
    expect(typed.map(tokensOf)).toEqual([200_000, 1_500_000, 12, 200_000, 1_000_000, 1_000_000, 1_500_000]);
    expect(['k', '200.000'].map(tokensOf)).toEqual(['invalid', 'invalid']);
    expect([secondsOf('0.5'), secondsOf('two')]).toEqual([1_800, 'invalid']);
  });
});

describe('a refusal', () => {
  const at = (code: string, detail: string, more: Partial<Form> = {}) =>
    fieldOf(form(more), { code, detail, status: 422 });

  it('stands beside the part that it names', () => {
    expect(at('invalid_request', 'limits.tokens: Too small')).toBe('tokens');
    expect(at('invalid_request', 'goal: Too big; setup: Too big')).toBe('goal');
    expect(at('invalid_field', 'The directory does not exist.')).toBe('directory');
    expect(at('uncommitted_work', 'The directory has uncommitted work.')).toBe('directory');
    expect(at('attachment_limit', 'Too many files.')).toBe('files');
    expect(at('invalid_contract', 'So long a goal cannot be its own criterion.')).toBe('goal');
    expect(at('invalid_contract', 'delivery.target: expected response, found merge')).toBe('delivery');
  });

  it('finds the criterion behind rows that were left empty', () => {
    const criteria = [row(''), row('One'), row(''), row('Two', 'true')];
    expect(at('invalid_contract', 'criteria[1].check.cwd: expected a path', { criteria })).toBe('criterion.3');
    expect(at('invalid_request', 'criteria.0.text: Too big', { criteria })).toBe('criterion.1');
    expect(at('invalid_contract', 'criteria[7].id: expected an id', { criteria })).toBe('criteria');
  });

  it('stands at the button where it names none', () => {
    expect(at('rate_limited', 'Too many requests.')).toBeUndefined();
    expect(at('connection_lost', 'goal: lost')).toBeUndefined();
    expect(at('invalid_request', 'the body: Unrecognized key')).toBeUndefined();
  });
});

describe('a draft', () => {
  const memory = () => {
    const kept = new Map<string, string>();
    return {
      kept,
      get length() {
        return kept.size;
      },
      key: (index: number) => [...kept.keys()][index] ?? null,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  };

  it('comes back as it was, with the key under which it is created once', () => {
    const storage = memory();
    const draft = form({ criteria: [row('One', 'true', 'machine')], files: [] });
    expect(keptForm(storage, draft.key)).toBeUndefined();
    expect(keepForm(storage, draft)).toBe(true);
    expect(keptForm(storage, draft.key)).toEqual(draft);
    forgetForm(storage, draft);
    expect(keptForms(storage)).toEqual([]);
  });

  it('of one tab is its own beside those of others: no tab takes over that of another, and none is lost', () => {
    const storage = memory();
    const [first, second] = [form({ key: 'k1', goal: 'One' }), form({ key: 'k2', goal: 'Two' })];
    keepForm(storage, first, 20);
    keepForm(storage, second, 10);
    expect(keptForm(storage, 'k2')?.goal).toBe('Two');
    expect(keptForms(storage).map(({ goal }) => goal)).toEqual(['One', 'Two']);
    keepForm(storage, second, 30);
    expect(keptForms(storage).map(({ goal }) => goal)).toEqual(['Two', 'One']);
    forgetForm(storage, second);
    expect(keptForm(storage, 'k2')).toBeUndefined();
    const [[name = '', newValue = null] = []] = [...storage.kept];
    expect(toldOf(first, { key: name, newValue })).toEqual(first);
    expect(toldOf(first, { key: name, newValue: null })).toBe('gone');
    expect(toldOf(second, { key: name, newValue })).toBeUndefined();
  });

  it('of another version opens with what can be read, and of none with nothing', () => {
    const storage = memory();
    keepForm(storage, form());
    const [key = ''] = storage.kept.keys();
    storage.kept.set(key, JSON.stringify({ value: { goal: 'Kept', criteria: 'none', usd: 7, later: true } }));
    expect(keptForms(storage)[0]).toMatchObject({ goal: 'Kept', criteria: [{ text: '' }], usd: '' });
    for (const odd of ['{', '7', '[]', 'null']) {
      storage.kept.set(key, odd);
      expect(keptForms(storage), odd).toEqual([]);
    }
  });

  it('lives on in the page where the browser keeps nothing', () => {
    const full = {
      ...memory(),
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(keepForm(full, form())).toBe(false);
  });

  it('that more was typed in while it was created lives on as another one, without the files that went', () => {
    const files = ['f1', 'f2'].map((id) => ({ id, name: id, bytes: 3, expiresAt: '2030-01-01T00:00:00Z' }));
    const sent = form({ files: files.slice(0, 1) });
    expect(leftAfter(sent, withFoundSetup({ ...sent }, 'npm ci'))).toBeUndefined();
    expect(leftAfter(sent, blankForm())).toBeUndefined();
    const left = leftAfter(sent, { ...sent, goal: 'Mend it all', files });
    expect(left).toMatchObject({ goal: 'Mend it all', files: [{ id: 'f2' }] });
    expect(left?.key).not.toBe(sent.key);
    expect(leftAfter(sent, { ...sent, setup: 'make ready' })).toMatchObject({ setup: 'make ready' });
  });

  it('is blank while nothing was typed that would be missed', () => {
    expect(isBlank(blankForm('/work/shop'))).toBe(true);
    expect(isBlank(form())).toBe(false);
    expect(isBlank({ ...blankForm(), criteria: [row('', 'true')] })).toBe(false);
  });
});

describe('what a directory says of itself', () => {
  it('puts its set-up in, and another when the directory is another, until the person says what it is', () => {
    const found = withFoundSetup(form(), 'npm ci');
    expect(found.setup).toBe('npm ci');
    expect(isBlank({ ...found, goal: '' })).toBe(true);
    expect(withFoundSetup(found, 'npm ci')).toBe(found);
    expect(withFoundSetup(found, 'uv sync').setup).toBe('uv sync');
    expect(withFoundSetup(found, '').setup).toBe('');
    for (const own of ['', 'make ready']) expect(withFoundSetup({ ...found, setup: own }, 'uv sync').setup).toBe(own);
    expect(isBlank({ ...found, goal: '', setup: '' })).toBe(true);
    expect(isBlank({ ...found, goal: '', setup: 'make ready' })).toBe(false);
  });

  it('does not hold for another directory, whether that one ever answers or not', () => {
    const found = withFoundSetup(form(), 'npm ci');
    const elsewhere = withDirectory(found, '/work/greeter');
    expect([elsewhere.directory, elsewhere.setup]).toEqual(['/work/greeter', '']);
    expect(withFoundSetup(elsewhere, 'uv sync').setup).toBe('uv sync');
    expect(withDirectory(found, '/work/shop ').setup).toBe('npm ci');
    for (const own of ['', 'make ready']) expect(withDirectory({ ...found, setup: own }, '/work').setup).toBe(own);
  });

  it('puts a check where nothing is said yet, and over nothing that is', () => {
    const tests = { text: 'The test suite passes', run: 'npm test' };
    const said = (of: Form) => of.criteria.map(({ text, run }) => [text, run]);
    expect(said(withCheck(form(), tests))).toEqual([[tests.text, tests.run]]);
    const own = form({ criteria: [row('It is quick', ''), row('', 'true')] });
    expect(said(withCheck(own, tests))).toEqual([...said(own), [tests.text, tests.run]]);
  });
});
