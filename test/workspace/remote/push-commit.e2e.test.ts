import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRemote } from '../../../src/workspace/remote/find-remote.ts';
import { pushCommit } from '../../../src/workspace/remote/push-commit.ts';
import { makeSandbox, type Sandbox } from '../landing/sandbox.ts';

const BRANCH = 'workcenter/item-1';
const REF = `refs/heads/${BRANCH}`;

interface Scene extends Sandbox {
  readonly remote: string;
  /** A commit that the person's repository holds, as after publishing. */
  commit(text: string): Promise<string>;
  at(ref?: string): Promise<string>;
  push(commit: string, url?: string, signal?: AbortSignal): ReturnType<typeof pushCommit>;
  hook(name: string, script: string): Promise<void>;
}

async function scene(): Promise<Scene> {
  const box = await makeSandbox();
  const remote = join(box.root, 'remote ü.git');
  await box.user('init', '--quiet', '--bare', remote);
  await box.user('remote', 'add', 'origin', remote);
  await box.user('push', '--quiet', 'origin', 'main');
  const { userGitDir: gitDir, repo: topLevel, userEnv, engineGitDir } = box;
  const repository = { gitDir, topLevel, userEnv };
  return {
    ...box,
    remote,
    async commit(text) {
      const commit = await box.engineCommit(box.first, { 'a.txt': text });
      await box.user('fetch', '--quiet', engineGitDir, commit);
      return commit;
    },
    at: async (ref = REF) => (await box.user('ls-remote', remote, ref)).split('\t')[0] ?? '',
    push: (commit, url = remote, signal) =>
      pushCommit({
        repository,
        engine: { gitDir: engineGitDir },
        url,
        commit,
        branch: BRANCH,
        ...(signal ? { signal } : {}),
      }),
    async hook(name, script) {
      const path = join(remote, 'hooks', name);
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
    },
  };
}

/** All that a push must not touch in the person's repository. */
const untouched = (at: Scene) =>
  Promise.all([
    at.user('for-each-ref'),
    at.status(),
    at.user('config', '--local', '--list'),
    readFile(join(at.userGitDir, 'FETCH_HEAD'), 'utf8'),
  ]);

test("D25: exactly one commit becomes one branch of the remote; the person's repository stays as it was", async () => {
  const at = await scene();
  await at.write('a.txt', 'my edit\n');
  await at.user('tag', 'v1');
  await at.user('config', 'push.followTags', 'true');
  const commit = await at.commit('done\n');
  const before = await untouched(at);
  expect(await at.push(commit)).toEqual({ kind: 'pushed' });
  expect(await untouched(at)).toEqual(before);
  expect(await at.user('ls-remote', '--refs', at.remote)).toBe(
    [`${at.first}\trefs/heads/main`, `${commit}\t${REF}`].join('\n'),
  );
});

test('D25: a second push of the same commit is already done and starts no receiving hook', async () => {
  const at = await scene();
  const commit = await at.commit('done\n');
  await at.push(commit);
  await at.hook('pre-receive', 'echo should not run; exit 1');
  expect(await at.push(commit)).toEqual({ kind: 'already' });
});

test('what we pushed before is replaced by a rebased result, also when nobody recorded the first push', async () => {
  const at = await scene();
  await at.push(await at.commit('one\n'));
  const second = await at.commit('two\n');
  expect(await at.push(second)).toEqual({ kind: 'pushed' });
  expect(await at.at()).toBe(second);
});

test("D25: somebody else's commits on the branch are left alone", async () => {
  const at = await scene();
  await at.push(await at.commit('one\n'));
  await at.user('push', '--quiet', '--force', at.remote, `main:${REF}`);
  await at.user('commit', '--quiet', '--allow-empty', '-m', 'theirs');
  await at.user('push', '--quiet', at.remote, `main:${REF}`);
  const theirs = await at.at();
  expect(await at.push(await at.commit('two\n'))).toEqual({ kind: 'moved', actual: theirs });
  expect(await at.at()).toBe(theirs);
});

test('D25: a branch that moves between the question and the push is refused by the lease', async () => {
  const at = await scene();
  const commit = await at.commit('one\n');
  // The remote's branch appears as soon as it has answered, where a plain push would just fast-forward it.
  const theirs = at.first;
  const packs = join(at.root, 'upload-pack');
  await writeFile(packs, `#!/bin/sh\ngit upload-pack "$@"\ngit -C '${at.remote}' update-ref ${REF} ${theirs}\n`);
  await chmod(packs, 0o755);
  // An ssh that runs what it is told here: the question goes through the script above.
  const ssh = join(at.root, 'fake-ssh');
  await writeFile(
    ssh,
    `#!/bin/sh\nshift\ncase "$*" in *upload*) exec '${packs}' '${at.remote}';; *) eval "$*";; esac\n`,
  );
  await chmod(ssh, 0o755);
  await at.user('config', 'core.sshCommand', `'${ssh}'`);
  await at.user('config', 'ssh.variant', 'simple');
  expect(await at.push(commit, `fake:${at.remote}`)).toEqual({ kind: 'moved', actual: theirs });
  expect(await at.at()).toBe(theirs);
});

test("a pre-receive hook that refuses is told in its own words, without the terminal's colours", async () => {
  const at = await scene();
  const commit = await at.commit('one\n');
  await at.hook(
    'pre-receive',
    "printf 'policy: sign\\033[31m your work\\033[0m\\n'; echo 'see the handbook' >&2; exit 1",
  );
  expect(await at.push(commit)).toEqual({
    kind: 'rejected',
    reason: 'pre-receive hook declined',
    said: ['policy: sign your work', 'see the handbook'],
  });
  expect(await at.at()).toBe('');
  await at.hook('pre-receive', 'exit 0');
  expect(await at.push(commit)).toEqual({ kind: 'pushed' });
});

test("the person's own hooks do not run", async () => {
  const at = await scene();
  const hook = join(at.userGitDir, 'hooks', 'pre-push');
  await writeFile(hook, '#!/bin/sh\nexit 1\n');
  await chmod(hook, 0o755);
  expect(await at.push(await at.commit('one\n'))).toEqual({ kind: 'pushed' });
});

test('a remote that is not there is lasting trouble; one that cannot be reached is passing', async () => {
  const at = await scene();
  const commit = await at.commit('one\n');
  expect(await at.push(commit, join(at.root, 'nowhere.git'))).toMatchObject({ kind: 'trouble', passing: false });
  // Nobody listens on port 1, which only an administrator could change.
  expect(await at.push(commit, 'http://127.0.0.1:1/acme/shop.git')).toMatchObject({ kind: 'trouble', passing: true });
});

test('the ssh that the person chose is told never to ask, and finds no terminal', async () => {
  const at = await scene();
  const ssh = join(at.root, 'ssh');
  await writeFile(
    ssh,
    `#!/bin/sh\n{ echo "$*"; (: < /dev/tty) 2>&1 && echo terminal; } > '${at.root}/told'; exit 255\n`,
  );
  await chmod(ssh, 0o755);
  await at.user('config', 'core.sshCommand', `'${ssh}' -p 2222`);
  await at.user('config', 'ssh.variant', 'ssh');
  const result = await at.push(await at.commit('one\n'), 'git@host.invalid:acme/shop.git');
  expect(result).toMatchObject({ kind: 'trouble', passing: false });
  const told = await readFile(join(at.root, 'told'), 'utf8');
  expect(told).toContain('-p 2222 -o BatchMode=yes');
  expect(told).not.toMatch(/^terminal$/m);
});

test('an engine that stops ends its push, and leaves no process', async () => {
  const at = await scene();
  const commit = await at.commit('one\n');
  const stop = new AbortController();
  await at.hook('pre-receive', `: > '${at.root}/here'; while :; do sleep 0.05; done`);
  const pushing = at.push(commit, at.remote, stop.signal);
  while (
    !(await readFile(join(at.root, 'here')).then(
      () => true,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop.abort();
  expect(await pushing).toMatchObject({ kind: 'trouble', reason: 'aborted' });
  expect(await at.at()).toBe('');
});

test('the remote is that of the base branch, else origin, else the only one', async () => {
  const at = await scene();
  const repository = { gitDir: at.userGitDir, topLevel: at.repo, userEnv: at.userEnv };
  const nameOf = async () => {
    const found = await findRemote(repository, 'main');
    return found.kind === 'found' ? found.remote.name : found.names;
  };
  expect(await nameOf()).toBe('origin');
  await at.user('remote', 'add', 'up.stream', '../up.git');
  await at.user('config', 'branch.main.remote', 'up.stream');
  expect(await nameOf()).toBe('up.stream');
  await at.user('config', 'branch.main.remote', '.');
  expect(await nameOf()).toBe('origin');
  await at.user('remote', 'remove', 'origin');
  expect(await nameOf()).toBe('up.stream');
  await at.user('remote', 'add', 'other', '../other.git');
  expect(await nameOf()).toEqual(['up.stream', 'other']);
});

test('a push address of its own is where results go; short forms are spelled out', async () => {
  const at = await scene();
  await at.user('remote', 'set-url', '--push', 'origin', 'gh:acme/shop');
  await at.user('config', 'url.https://github.com/.insteadOf', 'gh:');
  const found = await findRemote({ gitDir: at.userGitDir, topLevel: at.repo, userEnv: at.userEnv }, 'main');
  expect(found).toMatchObject({
    kind: 'found',
    remote: { url: 'gh:acme/shop', addresses: [{ host: 'gh' }, { host: 'github.com', path: 'acme/shop' }] },
  });
});
