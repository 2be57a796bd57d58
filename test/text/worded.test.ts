import { describe, expect, it } from 'vitest';
import { contractProblems } from '../../src/core/index.ts';
import { compileContract } from '../../src/plan/compile/compile-contract.ts';
import { titleOf, worded } from '../../src/text/worded.ts';

const NOTHING = '\u200b\u200d \ufeff\u2060\u3164\n\u202e';

describe('a text that must say something', () => {
  it('is nothing where none of it can be seen, and else stays as it was written', () => {
    expect(worded(NOTHING)).toBe('');
    expect(worded(' 👨‍👩‍👧 می‌خواهم \n')).toBe('👨‍👩‍👧 می‌خواهم');
  });

  it('gives a title by its first line that can be read', () => {
    expect(titleOf(`${NOTHING}\n\nMend it\nand more`)).toBe('Mend it');
    expect(titleOf('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
  });

  it('is asked for in a contract by the name of its place', () => {
    const document = { goal: NOTHING, criteria: [{ text: NOTHING }], actions: [] };
    const contract = compileContract(document, { directory: '/work/shop', workspace: 'in-place' });
    expect(contractProblems(contract).map(({ path }) => path)).toEqual(['goal', 'criteria[0].text']);
  });
});
