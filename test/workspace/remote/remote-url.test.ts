import { describe, expect, test } from 'vitest';
import { compareUrl, forgeOf, pullNumberIn, pullsAt } from '../../../src/workspace/remote/forge.ts';
import { credentialsOf, parseRemote, shownRemote } from '../../../src/workspace/remote/remote-url.ts';
import { patiently, troubleOf } from '../../../src/workspace/remote/trouble.ts';

const network = (protocol: string, host: string, path: string) => ({ kind: 'network', protocol, host, path });

describe('the address of a remote', () => {
  test.each([
    ['https://github.com/acme/shop.git', network('https', 'github.com', 'acme/shop')],
    ['https://ada:s3cret@GitHub.com/acme/shop', network('https', 'github.com', 'acme/shop')],
    ['http://127.0.0.1:8080/acme/shop.git/', network('http', '127.0.0.1:8080', 'acme/shop')],
    ['git@github.com:acme/shop.git', network('ssh', 'github.com', 'acme/shop')],
    ['ssh://git@ssh.github.com:443/acme/shop.git', network('ssh', 'ssh.github.com', 'acme/shop')],
    ['/srv/git/shop.git', { kind: 'local', path: '/srv/git/shop.git' }],
    ['../shop.git', { kind: 'local', path: '../shop.git' }],
    ['file:///srv/git/shop.git', { kind: 'local', path: '/srv/git/shop.git' }],
    ['C:/git/shop.git', { kind: 'local', path: 'C:/git/shop.git' }],
    ['./a:b', { kind: 'local', path: './a:b' }],
    ['codecommit::eu-west-1://shop', { kind: 'other' }],
    ['ext::sh -c true', { kind: 'other' }],
  ])('%s is read as git reads it', (url, expected) => {
    expect(parseRemote(url)).toEqual(expected);
  });

  test.each([
    ['https://ada:s3cret-pass@host.example/a/b.git', 'https://host.example/a/b.git'],
    ['https://tok_123456@host.example/a/b.git', 'https://host.example/a/b.git'],
    ['https://host.example/a/b.git?token=abc#x', 'https://host.example/a/b.git'],
    ['ssh://git:s3cret-pass@host.example:22/a/b', 'ssh://git@host.example:22/a/b'],
    ['git@host.example:a/b.git', 'git@host.example:a/b.git'],
    ['../b.git', '/home/b.git'],
  ])('D38: %s is shown without a secret', (url, shown) => {
    expect(shownRemote(url, '/home/ada')).toBe(shown);
  });

  test('D38: every form of a secret in an address is known, so that git cannot repeat it', () => {
    expect(credentialsOf('https://ada:p%40ss-word@h/x')).toEqual(
      expect.arrayContaining(['p%40ss-word', 'p@ss-word', 'ada:p%40ss-word']),
    );
    expect(credentialsOf('https://tok_123456@h/x')).toContain('tok_123456');
    expect(credentialsOf('ssh://git@h/x')).toEqual([]);
    expect(credentialsOf('git@h:x')).toEqual([]);
  });
});

describe('which forge a remote is at', () => {
  const at = (url: string, apiUrl?: string) => forgeOf([parseRemote(url)], apiUrl);

  test.each([
    ['git@github.com:acme/shop.git', 'github', 'https://api.github.com'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'github', 'https://api.github.com'],
    ['https://gitlab.com/group/sub/shop.git', 'gitlab', undefined],
    ['https://gitlab.acme.example/group/shop.git', 'gitlab', undefined],
    ['git@bitbucket.org:acme/shop.git', 'bitbucket', undefined],
    ['https://codeberg.org/acme/shop', 'gitea', undefined],
  ])('%s is %s', (url, kind, apiUrl) => {
    expect(at(url)).toMatchObject({ kind, ...(apiUrl === undefined ? {} : { apiUrl }) });
  });

  test('a configured API makes its own host a GitHub, and no other', () => {
    const apiUrl = 'https://git.acme.example/api/v3';
    expect(at('git@git.acme.example:acme/shop.git', apiUrl)).toMatchObject({ kind: 'github', apiUrl });
    expect(at('git@git.acme.example:acme/shop.git')).toBeUndefined();
    expect(at('git@github.com:acme/shop.git', apiUrl)).toMatchObject({ apiUrl: 'https://api.github.com' });
  });

  test.each(['/srv/git/acme/shop.git', 'https://git.example.org/acme/shop.git', 'git@github.com:shop.git'])(
    '%s is a plain git remote',
    (url) => {
      expect(at(url)).toBeUndefined();
    },
  );

  test("a person's own short form counts where the written one says nothing", () => {
    expect(forgeOf(['gh:acme/shop', 'https://github.com/acme/shop'].map(parseRemote))?.kind).toBe('github');
  });

  test('the link to open a pull request names both branches', () => {
    const forge = at('https://gitlab.com/group/shop.git');
    if (!forge) throw new Error('no forge');
    expect(compareUrl(forge, 'main', 'workcenter/w1')).toBe(
      'https://gitlab.com/group/shop/-/merge_requests/new?merge_request%5Bsource_branch%5D=workcenter/w1&merge_request%5Btarget_branch%5D=main',
    );
  });

  test('D25: of the refs that show heads only the one at exactly our commit is ours', () => {
    const forge = at('https://gitlab.com/group/shop.git');
    if (!forge) throw new Error('no forge');
    const refs = new Map([
      ['refs/merge-requests/7/head', 'aaa'],
      ['refs/merge-requests/8/head', 'bbb'],
      ['refs/heads/9', 'bbb'],
    ]);
    expect(pullsAt(forge, refs, 'bbb')).toEqual(['https://gitlab.com/group/shop/-/merge_requests/8']);
    expect(pullsAt(forge, refs, 'ccc')).toEqual([]);
  });

  test('a pull request elsewhere has no number here', () => {
    const forge = at('https://github.com/acme/shop.git');
    if (!forge) throw new Error('no forge');
    expect(pullNumberIn(forge, 'https://github.com/Acme/shop/pull/12')).toBe(12);
    expect(pullNumberIn(forge, 'https://github.com/acme/other/pull/12')).toBeUndefined();
    expect(pullNumberIn(forge, 'https://evil.example/acme/shop/pull/12')).toBeUndefined();
  });
});

describe('trouble with a remote', () => {
  test.each([
    ['fatal: unable to access: Could not resolve host: git.example.org', true],
    ["Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server", true],
    ['ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.', true],
    ['error: RPC failed; HTTP 502\nfatal: the remote end hung up unexpectedly', true],
    ['The requested URL returned error: 503', true],
    ['The requested URL returned error: 403', false],
    ["fatal: Authentication failed for 'https://h/'", false],
    ['git@h: Permission denied (publickey).\nConnection closed by remote host', false],
    ["fatal: '/nowhere' does not appear to be a git repository", false],
  ])('%s passes: %s', (stderr, passing) => {
    expect(troubleOf(stderr).passing).toBe(passing);
  });

  test('is tried again after each pause, and its last answer counts', async () => {
    const paused: number[] = [];
    const answers = ['bad', 'bad', 'good', 'never asked'];
    const options = {
      isPassing: (answer: string | undefined) => answer === 'bad',
      pausesMs: [1, 3, 9],
      pause: async (ms: number) => void paused.push(ms),
    };
    expect(await patiently(async () => answers.shift(), options)).toBe('good');
    expect(paused).toEqual([1, 3]);
    expect(await patiently(async () => 'bad', options)).toBe('bad');
    expect(paused).toEqual([1, 3, 1, 3, 9]);
  });

  test('is not tried again once the engine stops', async () => {
    const stop = new AbortController();
    let tries = 0;
    const options = { isPassing: () => true, pausesMs: [1, 3], pause: async () => stop.abort(), signal: stop.signal };
    const work = async () => {
      tries += 1;
    };
    await patiently(work, options);
    expect(tries).toBe(1);
  });
});
