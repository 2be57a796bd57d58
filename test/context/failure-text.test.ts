import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureText, hidePaths } from '../../src/context/failure-text.ts';

const redaction = { secrets: ['canary-1234'], roots: ['/srv/work/a1', '/srv/work'] };

describe('the text of a failure (V35)', () => {
  it.each([
    ['a path of the workspace', 'at /srv/work/a1/src/x.ts:3:1', 'at src/x.ts:3:1'],
    ['the workspace itself', 'in /srv/work/a1, no', 'in ., no'],
    ['another directory with a like name', 'at /srv/work/a12/x/y', 'at a12/x/y'],
    ['a directory that only ends like it', 'at /mnt/srv/work/a1/x.ts', 'at [path]/x.ts'],
    ['somebody’s home', "open '/home/ada/My Files/x.txt'", "open '[path]/x.txt'"],
    ['a home directory', 'cd /home/ada failed', 'cd [path] failed'],
    ['Windows', 'C:\\Users\\ada\\work\\x.ts missing', '[path]/x.ts missing'],
    ['a share', 'from \\\\server\\share\\a\\b.txt', 'from [path]/b.txt'],
    ['a file address', 'import file:///opt/app/lib/x.mjs', 'import [path]/x.mjs'],
    ['a flag', 'cc -I/usr/local/include/x', 'cc -I[path]/x'],
    ['an assignment', 'CONFIG=/etc/app/main.conf', 'CONFIG=[path]/main.conf'],
    ['a secret', 'failed with canary-1234', 'failed with [redacted]'],
    ['a token', 'password=hunter2hunter2 was refused', 'password=[redacted] was refused'],
  ])('hides %s', (_, text, expected) => {
    expect(failureText(text, redaction)).toBe(expected);
  });

  it.each([
    'GET https://example.org/home/ada/x answered 500',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b and run 123e4567-e89b-12d3-a456-426614174000',
    'expected 1/2 to be 3 in src/core/x.ts or ./y.ts and/or ../z.ts',
  ])('keeps what is useful: %s', (text) => {
    expect(failureText(text, redaction)).toBe(text);
  });

  it('is at most 2,000 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(40), (text, times) => {
        expect(Buffer.byteLength(failureText(text.repeat(times), redaction))).toBeLessThanOrEqual(2_000);
      }),
    );
  });

  it('leaves no absolute path of three names, wherever it stands', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}$/);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 3, maxLength: 6 }),
        fc.constantFrom('', ' ', '(', '"', "'", '=', '\n', ': ', ','),
        (names, before) => {
          const path = `/${names.join('/')}`;
          expect(hidePaths(`${before}${path}`, [])).not.toContain(`/${names.slice(0, 2).join('/')}/`);
        },
      ),
    );
  });
});
