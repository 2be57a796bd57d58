import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED, redact, secretValues } from '../../src/text/redact.ts';

const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7\n'.repeat(3)}-----END RSA PRIVATE KEY-----`;

describe('the span redactor (D38)', () => {
  it.each([
    ['a token by its shape', `pushed with ${GITHUB} to main`, `pushed with ${REDACTED} to main`],
    ['a token of ours', `use wc_0123abcd_${'aB-_9'.repeat(9).slice(0, 43)} then`, `use ${REDACTED} then`],
    ['the secret of a webhook', `whsec_${'a+/B'.repeat(11)} is it`, `${REDACTED} is it`],
    ['a name in capitals', 'DB_PASSWORD=hunter2hunter2 next', `DB_PASSWORD=${REDACTED} next`],
    ['a name in camel case', 'accessToken: abcdef12 ok', `accessToken: ${REDACTED} ok`],
    ['JSON', '{"password": "two words", "user": "ada"}', `{"password": "${REDACTED}", "user": "ada"}`],
    ['a quote that is not closed', 'secret="two words', `secret="${REDACTED}"`],
    ['a header', 'Authorization: Basic dTpw rest\nHost: a', `Authorization: ${REDACTED}\nHost: a`],
    ['a bearer', 'curl -H "Bearer abcdefghij" x', `curl -H "Bearer ${REDACTED}" x`],
    ['user information', 'https://ada:pw@example.org/x', `https://${REDACTED}@example.org/x`],
    ['a query', 'GET /cb?code=12345abc&state=1', `GET /cb?code=${REDACTED}&state=1`],
    ['a private key', `before\n${KEY}\nafter`, `before\n${REDACTED}\n\nafter`],
  ])('replaces %s and leaves the rest', (_, text, expected) => {
    expect(redact(text, [])).toBe(expected);
  });

  it.each([
    'status code: 500',
    "error code: 'ENOENT'",
    'PWD=/home/ada',
    'author: Ada',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'token: null',
    '"auth": {"kind": 1}',
    'git@example.org:ada/x.git',
  ])('leaves %s alone', (text) => {
    expect(redact(text, [])).toBe(text);
  });

  it('replaces declared secrets wherever they stand, also in their JSON and URL forms', () => {
    const secret = 'p"ss w/rd';
    const text = `${secret} ${JSON.stringify(secret)} ${encodeURIComponent(secret)} ${secret}x`;
    expect(redact(text, [secret])).toBe(`${REDACTED} "${REDACTED}" ${REDACTED} ${REDACTED}x`);
  });

  it('replaces every line of a secret of several lines', () => {
    expect(redact('  first line\n> second line', ['first line\nsecond line'])).toBe(`  ${REDACTED}\n> ${REDACTED}`);
  });

  it('does not let a key that never ends hide the log behind it', () => {
    const out = redact('-----BEGIN PRIVATE KEY-----\nMIIE\nthe test failed: it is red\nmore', []);
    expect(out).toBe(`${REDACTED}\nthe test failed: it is red\nmore`);
  });

  it('finds the values that a declared environment calls secret', () => {
    expect(secretValues({ API_TOKEN: 'x1', MODE: 'y', DB_PASSWORD: 'z' })).toEqual(['x1', 'z']);
  });

  const text = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        GITHUB,
        'password=',
        '"',
        "'",
        ' ',
        '\n',
        '\r\n',
        ': ',
        KEY,
        'token',
        'canary-1234',
        '://u:p@h',
        REDACTED,
      ),
    ),
  );
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const once = redact(parts.join(''), ['canary-1234']);
        expect(redact(once, ['canary-1234'])).toBe(once);
      }),
    );
  });

  it('gives the same for a stream as for the whole, wherever the chunks end', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (parts, cuts) => {
        const whole = parts.join('');
        const redactor = createRedactor(['canary-1234']);
        let out = '';
        let at = 0;
        for (const size of cuts) {
          out += redactor.push(whole.slice(at, at + size));
          at += size;
        }
        expect(out + redactor.push(whole.slice(at)) + redactor.end()).toBe(redact(whole, ['canary-1234']));
      }),
    );
  });

  it('finds a secret anywhere in a line that is too long to wait for', () => {
    for (const before of [60_000, 61_439, 61_440, 65_530, 65_536, 70_000]) {
      const redactor = createRedactor(['canary-1234-canary']);
      const long = `${'x'.repeat(before)}canary-1234-canary${'y'.repeat(70_000)}`;
      let out = '';
      for (let at = 0; at < long.length; at += 1_000) out += redactor.push(long.slice(at, at + 1_000));
      out += redactor.end();
      expect(out).toBe(`${'x'.repeat(before)}${REDACTED}${'y'.repeat(70_000)}`);
    }
  });
});
