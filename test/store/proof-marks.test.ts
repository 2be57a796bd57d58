import { expect, test } from 'vitest';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { readMarks } from '../../src/store/proof-marks.ts';
import type { Store } from '../../src/store/store.ts';
import { executed } from './conformance.ts';
import { actionSpec, claim, create, dispatch, outcomeOf, settle } from './items.ts';

const CRITERIA = ['c1', 'c2', 'c3'].map((id) => ({ id, version: 1, text: id, minProof: 'self' as const }));

const marks = async (store: Store) => (await store.list({ limit: 1 })).items[0]?.marks;

test('a card shows of each criterion who is at it, what proves it, and what was refused', async () => {
  const actions = [
    { id: 'a1', spec: actionSpec('a1', { for: ['c1', 'c2'] }) },
    { id: 'a2', spec: actionSpec('a2', { for: ['c3'] }) },
  ];
  const store = openMemoryStore({ now: () => 1_000 });
  executed(await store.execute(create('i1', { contract: { criteria: CRITERIA }, actions })));
  expect(await marks(store)).toEqual(['missing', 'missing', 'missing']);
  executed(await store.execute(claim('i1', 'r1')));
  expect(await marks(store)).toEqual(['working', 'working', 'missing']);
  executed(await store.execute(dispatch('i1', 'r1')));
  const claims = [
    { criterionId: 'c1', status: 'passed', evidence: 'seen' },
    { criterionId: 'c2', status: 'failed', evidence: 'seen' },
  ] as const;
  const outcome = { kind: 'completed', summary: 'Half of it.', evidence: [], claims, outputs: [] } as const;
  executed(await store.execute(settle('i1', 'r1', outcomeOf(outcome))));
  expect(await marks(store)).toEqual(['self', 'failed', 'missing']);
});

test('letters that a newer program wrote are read as what is not known to be proven', () => {
  expect(readMarks('mis?')).toEqual(['machine', 'independent', 'self', 'missing']);
});
