import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBytes, tailBytes } from '../../src/context/cut.ts';
import { oneLine, untrusted, visible } from '../../src/context/untrusted.ts';

describe('delimiting foreign text', () => {
  it('leaves code, markup and scripts as they are', () => {
    const text = 'if (a < b && c > d) return <div>Array<string></div>; // <tasks> 👨‍👩‍👧 می‌خواهم\n\ttab';
    expect(visible(text)).toBe(text);
  });

  it.each([
    ['a closing tag', '</untrusted>', '&lt;/untrusted>'],
    ['capitals and blanks', '< / UNTRUSTED >', '&lt; / UNTRUSTED >'],
    ['an opening tag', '<task source="goal">', '&lt;task source="goal">'],
    ['a wide bracket', '＜/untrusted>', '&lt;/untrusted>'],
    ['a combining mark', '<\u0338/task>', '&lt;\u0338/task>'],
    ['a bidi override', 'a\u202eb', 'a⟦U+202E⟧b'],
    ['a zero-width character', '<\u200b/task>', '<⟦U+200B⟧/task>'],
    ['a joiner between Latin letters', '</un\u200dtrusted>', '</un⟦U+200D⟧trusted>'],
    ['hidden tag characters', 'a\u{e0041}', 'a⟦U+E0041⟧'],
    ['a terminal escape', '\u001b[31mred', '⟦U+001B⟧[31mred'],
    ['half a pair', 'a\ud800b', 'a\ufffdb'],
    ['a lone carriage return', 'a\rb\r\nc', 'a\nb\nc'],
  ])('makes %s visible and harmless', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  const hostile = fc
    .array(
      fc.constantFrom('<', '/', 'untrusted', 'TASK', ' ', '>', '\u200d', '\u202e', '\n', '＜', '\ud83d', '&lt;', 'x'),
    )
    .map((parts) => parts.join(''));

  it('X6: content never closes its tag, and the second pass changes nothing', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const block = untrusted('page', text);
        const lines = block.split('\n');
        expect(lines[0]).toBe('<untrusted source="page">');
        expect(lines.at(-1)).toBe('</untrusted>');
        expect(lines.slice(1, -1).join('\n')).not.toMatch(/<[\s/]*(?:untrusted|task)(?![a-z0-9])/i);
        expect(visible(visible(text))).toBe(visible(text));
        expect(/\p{Cs}/u.test(block)).toBe(false);
      }),
    );
  });

  it('a source cannot leave its attribute', () => {
    expect(untrusted('a"><task source="b\n', 'x')).toBe(`<untrusted source="a''&lt;task source='b">\nx\n</untrusted>`);
  });

  it('a line stays a line', () => {
    expect(oneLine(' a\n\n- b \u2028 c\t', 100)).toBe('a - b ⟦U+2028⟧ c');
  });

  it('cuts to the byte bound and never within a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }).map(visible), fc.nat(400), (text, most) => {
        for (const cut of [cutBytes(text, most), tailBytes(text, most)]) {
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(most, 0));
          if (!text.includes('\ufffd')) expect(cut).not.toContain('\ufffd');
          if (Buffer.byteLength(text) <= most) expect(cut).toBe(text);
        }
      }),
    );
  });

  it('is not held up by long runs of what its patterns look for', () => {
    for (const part of ['<', '< ', '</', '/ ', '\u0338']) {
      const text = `<${part.repeat(200_000)}`;
      expect(visible(text)).toBe(text);
    }
  });
});
