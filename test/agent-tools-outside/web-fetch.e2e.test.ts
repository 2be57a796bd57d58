import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolContext } from '../../src/executors/agent/tool.ts';
import { htmlText } from '../../src/executors/agent/tools/outside/web/html-text.ts';
import type { Reach } from '../../src/executors/agent/tools/outside/web/open-page.ts';
import { isPublicAddress } from '../../src/executors/agent/tools/outside/web/public-address.ts';
import { type WebFetchOptions, webFetchTool } from '../../src/executors/agent/tools/outside/web/web-fetch-tool.ts';
import { makePlace, type Place, SECRET } from './support.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let place: Place;
let server: Server;
let port: number;
let handler: Handler;
const asked: string[] = [];

beforeEach(async () => {
  place = await makePlace();
  asked.length = 0;
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Names of this test lie on the loopback; the one at 127.0.0.1 counts as public. */
const names: Record<string, string[]> = {
  'public.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'private.test': ['127.0.0.2'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
  'nowhere.test': [],
};
const reach: Reach = {
  resolve: async (hostname) => (names[hostname] ?? [hostname]).map((address) => ({ address, family: 4 })),
  isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
};

function fetchUrl(
  url: string,
  more: { offset?: number; maxChars?: number } = {},
  options: WebFetchOptions & { context?: Partial<ToolContext> } = {},
) {
  const { context, ...rest } = options;
  const tool = webFetchTool({ reach, ...rest });
  return tool.run(tool.input.parse({ url, ...more }), place.context({ network: 'all', ...context }));
}
const at = (host: string, path = '/') => `http://${host}:${port}${path}`;
const page = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/html' }): Handler => {
  return (_, response) => response.writeHead(200, headers).end(body);
};

describe('what is on the open internet', () => {
  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '64:ff9b::808:808', '::ffff:8.8.8.8'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ...[
      '127.0.0.1',
      '127.255.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
    ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', 'fe80::1', 'fe80::1%eth0', 'fc00::1'],
    ...[
      'fd00:ec2::254',
      'fec0::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '2002:7f00:1::',
    ],
    ...['2001::1', '2001:db8::1', 'localhost', 'no address', ''],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('web_fetch refuses', () => {
  test.each([
    'ftp://public.test/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'public.test',
    'http://user:pass@public.test/',
    'http://localhost/',
    'http://127.0.0.2/',
    'http://2130706434/',
    'http://0x7f.0.0.2/',
    'http://0177.0.0.2/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'http://169.254.169.254/latest/meta-data',
    'http://private.test/',
    'http://mixed.test/',
    'http://nowhere.test/',
  ])('%s', async (url) => {
    names.localhost = ['127.0.0.2'];
    expect(await fetchUrl(url)).toEqual({ text: expect.any(String), isError: true });
    expect(asked).toEqual([]);
  });

  test.each(['private.test', '127.0.0.2', '[::1]', '169.254.169.254'])('a redirect to %s', async (host) => {
    handler = (_, response) => response.writeHead(302, { location: at(host, '/secret') }).end();
    const output = await fetchUrl(at('public.test'));
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('redirects to') });
    expect(asked).toEqual([`public.test:${port}/`]);
  });

  test('a redirect to another scheme', async () => {
    handler = (_, response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end();
    expect((await fetchUrl(at('public.test'))).text).toContain('Only http and https');
  });

  test('the sixth redirect', async () => {
    handler = (_, response) => response.writeHead(302, { location: '/again' }).end();
    expect((await fetchUrl(at('public.test'))).text).toContain('More than 5 redirects');
    expect(asked).toHaveLength(6);
  });

  test('everything where the Action has no way out', async () => {
    for (const network of ['none', 'loopback'] as const) {
      const output = await fetchUrl(at('public.test'), {}, { context: { network } });
      expect(output).toMatchObject({ isError: true, text: expect.stringContaining(`its network is ${network}`) });
    }
    expect(asked).toEqual([]);
  });

  test('what a permission denies, also behind a redirect', async () => {
    handler = (_, response) => response.writeHead(302, { location: at('other.test') }).end();
    const ruled = (url: string) => (url.includes('other.test') ? ('deny' as const) : null);
    expect((await fetchUrl(at('public.test'), {}, { ruled })).text).toContain('The permissions refuse');
    expect(asked).toHaveLength(1);
  });

  test('what is no text', async () => {
    handler = page(Buffer.alloc(10), { 'content-type': 'image/png' });
    expect(await fetchUrl(at('public.test'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('image/png'),
    });
  });
});

describe('web_fetch', () => {
  test('asks for the address once and connects to that one, whatever the name says afterwards', async () => {
    handler = page('x', { 'content-type': 'text/plain' });
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let questions = 0;
    const rebinding: Reach = {
      ...reach,
      resolve: async () => {
        questions += 1;
        return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
      },
    };
    expect((await fetchUrl(at('rebind.test'), {}, { reach: rebinding })).text).toContain('status 200');
    expect([questions, asked]).toEqual([1, [`rebind.test:${port}/`]]);
    expect(await fetchUrl(at('rebind.test'), {}, { reach: rebinding })).toMatchObject({ isError: true });
    expect(asked).toHaveLength(1);
  });

  test('goes out without a way out where a permission names the very place', async () => {
    handler = page('ok', { 'content-type': 'text/plain' });
    const output = await fetchUrl(at('public.test'), {}, { ruled: () => 'allow', context: { network: 'none' } });
    expect(output.text).toContain('ok');
  });

  test('gives the text of HTML with its links, marked as foreign', async () => {
    handler = page(
      '<title>T</title><script>evil()</script><h1>Head</h1><p>See <a href="/more">this</a> &amp; that</p>',
    );
    const output = await fetchUrl(at('public.test', '/a/b'));
    expect(output.foreign).toBe(true);
    expect(output.isError).toBeUndefined();
    expect(output.text).toContain(`See this [${at('public.test', '/more')}] & that`);
    expect(output.text).toContain('Head');
    expect(output.text).not.toContain('evil');
  });

  test('gives up on HTML that takes for ever to read, and on none that is whole', async () => {
    const { signal } = new AbortController();
    expect(await htmlText('<div>'.repeat(300_000), 'http://a.test/', signal, 200)).toBeNull();
    expect(await htmlText('<p>fine', 'http://a.test/', signal)).toBe('fine');
  });

  test('follows relative redirects and names the page that it came to', async () => {
    handler = (request, response) => {
      if (request.url === '/') response.writeHead(301, { location: 'next' }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
    };
    expect((await fetchUrl(at('public.test'))).text).toMatch(
      /^http:\/\/public\.test:\d+\/next · status 200[\s\S]*\{"a":1\}$/,
    );
  });

  test('gives a long page in parts', async () => {
    handler = page('0123456789', { 'content-type': 'text/plain' });
    const first = await fetchUrl(at('public.test'), { maxChars: 4 });
    expect(first.text).toMatch(/read on with offset 4\n\n0123$/);
    expect((await fetchUrl(at('public.test'), { maxChars: 40, offset: 4 })).text).toMatch(/of 10\n\n456789$/);
  });

  test('unpacks, and never takes more than 5 MiB', async () => {
    handler = page(gzipSync('packed'), { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    expect((await fetchUrl(at('public.test'))).text).toContain('packed');
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 'x'));
    handler = page(bomb, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    expect((await fetchUrl(at('public.test'))).text).toContain('longer than 5 MiB and was cut');
  });

  test('stops an endless body', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    expect((await fetchUrl(at('public.test'))).text).toContain('was cut');
  });

  test('reads other encodings', async () => {
    handler = page(Buffer.from([0x63, 0x61, 0x66, 0xe9]), { 'content-type': 'text/plain; charset=iso-8859-1' });
    expect((await fetchUrl(at('public.test'))).text).toContain('café');
  });

  test('shows the body of an error, as an error', async () => {
    handler = (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('gone away');
    const output = await fetchUrl(at('public.test'));
    expect(output).toMatchObject({ isError: true, foreign: true, text: expect.stringContaining('status 404') });
    expect(output.text).toContain('gone away');
  });

  test('takes secrets out', async () => {
    handler = page(`the ${SECRET}`, { 'content-type': 'text/plain' });
    expect((await fetchUrl(at('public.test'))).text).toContain('the [redacted]');
  });

  test('gives up on a server that does not answer, and tells', async () => {
    handler = () => {};
    const output = await fetchUrl(at('public.test'), {}, { timeoutMs: 50 });
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('did not answer within') });
  });

  test('tells of a connection that breaks', async () => {
    handler = (request) => request.socket.destroy();
    expect(await fetchUrl(at('public.test'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('could not be fetched'),
    });
  });

  test('rejects when the Run is aborted', async () => {
    const abort = new AbortController();
    handler = () => abort.abort(new Error('lease lost'));
    await expect(fetchUrl(at('public.test'), {}, { context: { signal: abort.signal } })).rejects.toThrow('lease lost');
  });
});
