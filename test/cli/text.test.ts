import { describe, expect, test } from 'vitest';
import { paintFor } from '../../src/cli/render/paint.ts';
import { table } from '../../src/cli/render/table.ts';
import { clean, shorten, widthOf, wrapText } from '../../src/cli/render/text.ts';
import { openTranscript } from '../../src/cli/render/transcript.ts';
import { ago, bytes, duration } from '../../src/cli/render/when.ts';

describe('text for a terminal', () => {
  test('loses escape sequences, control characters and characters that reorder it', () => {
    expect(clean('a\u001b[31mb\u001b]0;title\u0007c\u0000d\u202ee\r\nf\tg')).toBe('abcde\nf  g');
  });

  test('is measured in columns: wide characters take two, combining ones none', () => {
    expect(['abc', '日本', 'e\u0301', '\u001b[31mred\u001b[39m'].map(widthOf)).toEqual([3, 4, 1, 3]);
  });

  test('is cut with an ellipsis that fits, colours closed', () => {
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(shorten('日本語', 4)).toBe('日…');
    expect(shorten('abc', 3)).toBe('abc');
    const red = shorten(paintFor(true).red('abcdef'), 4);
    expect([widthOf(red), red.endsWith('\u001b[0m')]).toEqual([4, true]);
  });

  test('is wrapped at spaces, and a long word is cut', () => {
    expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrapText(`x ${'y'.repeat(30)}`, 10)).toEqual(['x', `${'y'.repeat(9)}…`]);
  });

  test('a table takes columns from the one that grows, then from the widest', () => {
    const cells = [[{ text: 'id-1' }, { text: 'a long long long text' }, { text: 'state' }]];
    const columns = [{ title: '' }, { title: '', grow: true, min: 6 }, { title: '' }];
    expect(table(columns, cells, 40)).toEqual(['id-1  a long long long text  state']);
    expect(table(columns, cells, 24)).toEqual(['id-1  a long lon…  state']);
    expect(widthOf(table(columns, cells, 16)[0] ?? '')).toBeLessThanOrEqual(16);
  });
});

describe('the transcript of an agent on a terminal', () => {
  const through = (columns: number, ...pieces: readonly string[]): readonly string[] => {
    const transcript = openTranscript(columns);
    return [...pieces.map((piece) => transcript.push(piece)), transcript.end()].join('').split('\n');
  };
  const long = 'npm run build && '.repeat(30);

  test('cuts what is said of a call to two lines, with a mark', () => {
    const lines = [`» shell ${long}`, `? asks for leave: ${long}`, `  ✗ shell: ${long}`, `  ✓ ${long}`];
    for (const columns of [40, 80, 200]) {
      for (const line of through(columns, `${lines.join('\n')}\n`).slice(0, -1)) {
        expect(line.endsWith('…')).toBe(true);
        expect(widthOf(line)).toBeLessThan(Math.min(2 * columns, 200));
      }
    }
  });

  test('marks also what the loop had cut to 200 characters, however wide the terminal is', () => {
    expect(through(250, `» shell ${'x'.repeat(200)}`)[0]).toMatch(/^» shell x+…$/);
  });

  test('leaves short calls and all words as they are, in whatever pieces they come', () => {
    const text = `» shell npm test\n  ✓ exit 0\n${long}\n[completed] ${long}`;
    expect(through(80, text).join('\n')).toBe(text);
    expect(through(80, ...text).join('\n')).toBe(text);
  });
});

describe('times and sizes', () => {
  test('durations have two units at most', () => {
    const spans = [0, 850, 4_230, 59_999, 61_000, 3_661_000, 90_061_000];
    expect(spans.map(duration)).toEqual(['0 ms', '850 ms', '4.2 s', '59 s', '1m 01s', '1h 01m', '1d 1h']);
  });

  test('how long ago has one unit, and the future is now', () => {
    expect([0, 5_000, 65_000, 7_200_000, 200_000_000, -5].map((ms) => ago(0, ms))).toEqual([
      'now',
      '5s ago',
      '1m ago',
      '2h ago',
      '2d ago',
      'now',
    ]);
  });

  test('bytes are in powers of a thousand', () => {
    expect([0, 999, 1_500, 2_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.5 kB', '2.0 MB']);
  });
});
