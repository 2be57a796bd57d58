import { describe, expect, it } from 'vitest';
import { placeAt } from '../../web/src/item/pane/places.ts';

describe('an address within an item', () => {
  it.each([
    ['', 'proof', true],
    ['proof', 'proof', true],
    ['actions', 'actions', true],
    ['actions/a1/runs/r1', 'actions', true],
    ['actions/turns/t1', 'actions', true],
    ['diff/actions/a1/runs/r1', 'diff', true],
    ['contract/edit/', 'contract', true],
    ['events/12', 'events', true],
    ['zzz', 'proof', false],
    ['proof/zzz', 'proof', false],
    ['actions/a1/zzz', 'actions', false],
    ['actions/a1/runs', 'actions', false],
    ['diff/zzz', 'diff', false],
    ['contract/zzz', 'contract', false],
    ['events/zzz', 'events', false],
  ])('%j shows %s; all of it means something: %s', (address, shown, isPlace) =>
    expect(placeAt(address)).toMatchObject({ shown, isPlace }),
  );
});
