import { describe, expect, it } from 'vitest';
import type { Contract } from '../../src/client/index.ts';
import {
  type ContractForm,
  formOf,
  newId,
  patchOf,
  rebased,
  termsOf,
  writtenSince,
} from '../../web/src/item/contract/contract-form.ts';
import { changesBetween } from '../../web/src/item/contract/contract-parts.ts';

const check = { run: 'npm test', timeoutSec: 60, expectExit: 0, protect: ['test/**'], network: 'none' as const };
const BASE: Contract = {
  ...{ version: 1, title: 'T', goal: 'G', instructions: null, directory: '/p', workspace: 'isolated', setup: null },
  criteria: [
    { id: 'c1', text: 'It works', minProof: 'machine', check },
    { id: 'c2', text: 'It is read', minProof: 'independent' },
  ],
  delivery: { target: 'workspace_files' },
};
const form = (change: Partial<ContractForm> = {}): ContractForm => ({ ...formOf(BASE), ...change });
const [c1, c2] = formOf(BASE).criteria;

describe('what is sent of an edited contract', () => {
  it('is nothing where nothing was changed, and only what was changed', () => {
    expect(patchOf(BASE, form())).toEqual({});
    expect(patchOf(BASE, form({ goal: 'G2', instructions: 'Short.' }))).toEqual({ goal: 'G2', instructions: 'Short.' });
    expect(patchOf({ ...BASE, instructions: 'Old' }, form({ instructions: ' ' }))).toEqual({ instructions: null });
    expect(patchOf(BASE, form({ setup: 'npm ci' }))).toEqual({ setup: 'npm ci' });
    expect(patchOf(BASE, form({ target: 'merge', branch: ' main ' }))).toEqual({
      delivery: { target: 'merge', branch: 'main' },
    });
  });

  it('keeps what a check says beside its command', () => {
    if (!c1 || !c2) throw new Error('There are two criteria.');
    expect(patchOf(BASE, form({ criteria: [{ ...c1, run: 'npm run all' }, c2] })).criteria).toEqual([
      { id: 'c1', text: 'It works', minProof: 'machine', check: { ...check, run: 'npm run all' } },
      { id: 'c2', text: 'It is read', minProof: 'independent' },
    ]);
  });

  it('gives a new criterion an id that none had', () => {
    expect(newId(BASE, form())).toBe('c3');
    expect(newId(BASE, form({ criteria: [] }))).toBe('c3');
  });
});

describe('what one wrote on a contract that changed meanwhile (FENCE-4)', () => {
  const theirs: Contract = { ...BASE, version: 2, goal: 'Theirs', instructions: 'Theirs' };

  it('wins where both changed a part, and leaves them theirs where only they did', () => {
    expect(rebased(BASE, form({ instructions: 'Mine' }), theirs)).toMatchObject({
      goal: 'Theirs',
      instructions: 'Mine',
    });
  });

  it('is merged criterion by criterion: none that was written is lost', () => {
    if (!c1 || !c2) throw new Error('There are two criteria.');
    const added = { id: 'c4', text: 'New', run: '', minProof: 'self' as const };
    const mine = form({ criteria: [{ ...c1, text: 'It works well' }, added] });
    const now: Contract = {
      ...theirs,
      criteria: [...BASE.criteria, { id: 'c3', text: 'Their own', minProof: 'self' }],
    };
    expect(rebased(BASE, mine, now).criteria.map(({ id, text }) => [id, text])).toEqual([
      ['c1', 'It works well'],
      ['c3', 'Their own'],
      ['c4', 'New'],
    ]);
    const without: Contract = { ...theirs, criteria: BASE.criteria.slice(1) };
    expect(rebased(BASE, mine, without).criteria.map(({ id }) => id)).toEqual(['c1', 'c4']);
  });
});

describe('what is written while the contract is saved', () => {
  const saved: Contract = { ...BASE, version: 2, goal: 'Sent' };

  it('is nothing where nothing was, and else is left to be saved on what was', () => {
    const sent = form({ goal: 'Sent' });
    expect(writtenSince(sent, form({ goal: 'Sent' }), saved)).toBeUndefined();
    const since = writtenSince(sent, form({ goal: 'Sent', instructions: 'Since' }), saved);
    expect(since && patchOf(saved, since)).toEqual({ instructions: 'Since' });
    const back = writtenSince(sent, form({ goal: 'G' }), saved);
    expect(back && patchOf(saved, back)).toEqual({ goal: 'G' });
  });
});

it('compares contracts part by part', () => {
  const after = termsOf(BASE, form({ goal: 'G2', criteria: c1 ? [c1] : [] }));
  expect(changesBetween(BASE, after).map(({ name }) => name)).toEqual(['goal', 'criterion:c2']);
  expect(changesBetween(BASE, termsOf(BASE, form()))).toEqual([]);
});
