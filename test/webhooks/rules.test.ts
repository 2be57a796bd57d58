import { describe, expect, test } from 'vitest';
import { receiverUrl } from '../../src/webhooks/address-rules.ts';
import { nextTryAt, RETRY_AFTER_MS, retryAfterMs } from '../../src/webhooks/retry-plan.ts';
import { newSecret, ownSecret } from '../../src/webhooks/secret.ts';

describe('the address of a receiver', () => {
  test.each([
    'https://example.org/hook?source=wc',
    'https://9.9.9.9:8443/',
    'http://localhost:8080/hook',
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
    'http://192.168.1.20/hook',
    'http://receiver:8080/',
    'http://printer.local/',
  ])('may be %s', (url) => {
    expect(receiverUrl(url)).toBe(url);
  });

  test.each([
    ['nothing', ''],
    ['no address', 'example.org/hook'],
    ['another scheme', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['credentials', 'https://ada:pw@example.org/'],
    ['a name without a password', 'https://ada@example.org/'],
    ['a fragment', 'https://example.org/#x'],
    ['http over the internet', 'http://example.org/hook'],
    ['http to a public address', 'http://8.8.8.8/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['the same with TLS', 'https://169.254.169.254/'],
    ['the same written otherwise', 'https://[::ffff:169.254.169.254]/'],
    ['the same as one number', 'https://2852039166/'],
    ['any address', 'https://0.0.0.0/'],
    ['everybody', 'https://255.255.255.255/'],
    ['too long', `https://example.org/${'x'.repeat(2_000)}`],
  ])('is not %s', (_what, url) => {
    expect(receiverUrl(url)).toMatchObject({ code: 'invalid_webhook', next: expect.stringContaining('https://') });
  });

  test('is refused without repeating a password', () => {
    expect(JSON.stringify(receiverUrl('https://ada:hunter2@example.org/'))).not.toContain('hunter2');
  });
});

describe('the plan of retries', () => {
  const at = (tries: number, askedMs = 0, chance = 0.5) => nextTryAt({ tries, now: 0, askedMs, chance });

  test('grows from seconds to hours, and ends after about a day', () => {
    expect(RETRY_AFTER_MS.map((_pause, index) => at(index + 1))).toEqual(RETRY_AFTER_MS);
    expect([...RETRY_AFTER_MS].sort((a, b) => a - b)).toEqual(RETRY_AFTER_MS);
    const hours = RETRY_AFTER_MS.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(at(RETRY_AFTER_MS.length + 1)).toBeUndefined();
  });

  test('is spread by a tenth to either side', () => {
    expect([at(2, 0, 0), at(2, 0, 1)]).toEqual([27_000, 33_000]);
  });

  test('waits longer where the receiver asks for it, never shorter', () => {
    expect([at(1, 60_000), at(3, 60_000)]).toEqual([60_000, 120_000]);
  });

  test.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 01 Jan 1970 00:02:00 GMT', 119_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['99999999', 86_400_000],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
    [null, 0],
    [undefined, 0],
  ])('reads Retry-After %j as %d ms', (header, expected) => {
    expect(retryAfterMs(header, 1_000)).toBe(expected);
  });
});

describe('the secret', () => {
  test('is made new each time, as Standard Webhooks writes it', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(newSecret());
    const mine = newSecret();
    expect(ownSecret(`${mine}\n`)).toBe(mine);
  });

  test.each([
    ['has no prefix', Buffer.alloc(32, 7).toString('base64')],
    ['is short', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
    ['is long', `whsec_${Buffer.alloc(65, 7).toString('base64')}`],
    ['is no base64', `whsec_${'!'.repeat(44)}`],
    ['is cut', `whsec_${Buffer.alloc(32, 7).toString('base64').slice(0, -2)}`],
    ['is empty', ''],
  ])('that %s is refused without being repeated', (_what, text) => {
    const refused = ownSecret(text);
    expect(refused).toMatchObject({ code: 'invalid_webhook' });
    if (text !== '') expect(JSON.stringify(refused)).not.toContain(text.slice(6, 20));
  });
});
