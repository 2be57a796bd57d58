import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Criterion, Setup } from '../../src/core/model/contract.ts';
import type { Receipt } from '../../src/core/model/outcome.ts';
import { gitSource } from '../../src/executors/verify/git-source.ts';
import { plainSource } from '../../src/executors/verify/plain-source.ts';
import { rerunReceipt } from '../../src/executors/verify/rerun-receipt.ts';
import { type ChecksRequest, type ChecksResult, runChecks } from '../../src/executors/verify/run-checks.ts';
import { commitAll, place, type Scene, scene, write } from '../workspace/fixture.ts';
import {
  bare,
  CANARY,
  check,
  confinementIn,
  criterion,
  nextRunId,
  type Recorder,
  recorder,
  sandboxed,
} from './support.ts';

/** A project whose test is red: `add` is wrong. */
const PROJECT = {
  'add.sh': 'echo $(($1 - $2))\n',
  'test/add.test.sh': '[ "$(sh add.sh 2 3)" = 5 ] && echo "1 passed"\n',
  'package.json': '{"scripts": {"test": "sh test/add.test.sh"}}\n',
  Makefile: 'proof:\n\tsh test/add.test.sh\n',
  'lock.txt': 'dep 1\n',
  '.gitignore': 'deps/\n',
};
const FIX = { 'add.sh': 'echo $(($1 + $2))\n' };
const TEST = criterion('c1', { check: check('sh test/add.test.sh', { protect: ['test/**'] }) });

interface Asked {
  readonly at: Scene;
  readonly io: Recorder;
  readonly request: ChecksRequest;
  readonly result: ChecksResult;
  readonly receipts: readonly Receipt[];
}

async function verify(
  criteria: readonly Criterion[],
  change: Readonly<Record<string, string>>,
  more: Partial<ChecksRequest> = {},
  project: Readonly<Record<string, string>> = PROJECT,
): Promise<Asked> {
  const at = await scene(project);
  await write(at.source, change);
  const commit = await commitAll(at.source, 'the work');
  const { request, io } = await requestFor(at, commit, criteria, more);
  return { at, io, request, ...(await ask(request)) };
}

async function requestFor(
  at: Scene,
  commit: string,
  criteria: readonly Criterion[],
  more: Partial<ChecksRequest> = {},
): Promise<{ request: ChecksRequest; io: Recorder }> {
  const io = recorder();
  const request: ChecksRequest = {
    source: await gitSource({ repo: at.repo, base: at.base, commit, subdirectory: '' }),
    runId: nextRunId(),
    epoch: 1,
    cacheRoot: join(at.root, 'data', 'setups'),
    workRoot: join(at.root, 'data', 'verify'),
    confinement: await confinementIn(at.root, sandboxed),
    io,
    criteria,
    knownBase: [],
    engine: '0.0.0-test',
    ...more,
  };
  return { request, io };
}

async function ask(request: ChecksRequest): Promise<{ result: ChecksResult; receipts: readonly Receipt[] }> {
  const result = await runChecks(request);
  expect(await readdir(request.workRoot)).toEqual([]);
  return { result, receipts: result.kind === 'checked' ? result.receipts : [] };
}

describe('work that is really done (D23)', () => {
  it('is red on the base and green after, and its receipt says how to repeat it', async () => {
    const { receipts, request, io } = await verify([TEST], FIX);
    expect(receipts).toMatchObject([
      {
        criterionId: 'c1',
        verdict: 'passed',
        command: 'sh test/add.test.sh',
        at: request.source.at('result'),
        exitCode: 0,
        base: { verdict: 'wrong_exit', exitCode: 1 },
        flags: ['red_to_green'],
        changed: [],
        engine: '0.0.0-test',
      },
    ]);
    expect(io.contents.get(receipts[0]?.log.hash ?? '')).toBe('1 passed\n');
  });

  it('can be asked again, and the answer is compared', async () => {
    const { receipts, request } = await verify([TEST], FIX);
    const [receipt] = receipts;
    if (receipt === undefined) throw new Error('no receipt');
    expect(await rerunReceipt(request, receipt)).toMatchObject({ kind: 'rerun', agrees: true });
    expect(await rerunReceipt(request, { ...receipt, verdict: 'wrong_exit' })).toMatchObject({ agrees: false });
    expect(await rerunReceipt(request, { ...receipt, at: 'abc' })).toMatchObject({ kind: 'other_state' });
    expect(await rerunReceipt(request, { ...receipt, criterionVersion: 2 })).toEqual({ kind: 'criterion_changed' });
  });

  it('asks a base once per version of a criterion', async () => {
    const first = await verify([TEST], FIX);
    const known = first.result.kind === 'checked' ? first.result.baseResults : [];
    expect(known).toHaveLength(1);
    const again = await requestFor(first.at, first.request.source.at('result'), [TEST], { knownBase: known });
    expect((await ask(again.request)).result).toMatchObject({
      baseResults: [],
      receipts: [{ flags: ['red_to_green'] }],
    });
    expect(again.io.spawned()).toBe(1);
    const edited = await requestFor(first.at, first.request.source.at('result'), [{ ...TEST, version: 2 }], {
      knownBase: known,
    });
    await ask(edited.request);
    expect(edited.io.spawned()).toBe(2);
  });

  it('runs for the criteria that were asked about only', async () => {
    const { receipts } = await verify([criterion('c2'), TEST], FIX);
    expect(receipts.map(({ criterionId }) => criterionId)).toEqual(['c1']);
  });
});

describe('work that only says it is done', () => {
  it.each([
    ['prints success and exits 1', check('echo "1 passed"; exit 1'), { verdict: 'wrong_exit', exitCode: 1 }],
    ['has no such program', check('no-such-test-runner'), { verdict: 'not_found', exitCode: 127 }],
    ['never ends', check('sleep 600', { timeoutSec: 0.1 }), { verdict: 'timed_out', exitCode: null }],
    [
      'prints something else',
      check('echo "0 passed"', { expectOutput: '^[1-9]\\d* passed$' }),
      { verdict: 'output_mismatch' },
    ],
    ['runs in a folder that is not there', check('true', { cwd: 'nowhere' }), { verdict: 'not_found', exitCode: null }],
    ['runs in a folder outside', check('true', { cwd: '../..' }), { verdict: 'not_found', exitCode: null }],
  ])('is never passed when its check %s', async (_, of, expected) => {
    const { receipts } = await verify([criterion('c1', { check: of })], FIX);
    expect(receipts).toMatchObject([expected]);
    expect(receipts[0]?.flags).not.toContain('red_to_green');
  });

  it('accepts the exit code and the output that were asked for, on any line', async () => {
    const of = check('printf "x\\r\\n3 passed\\r\\ny\\n"; exit 3', {
      expectExit: 3,
      expectOutput: '^[1-9]\\d* passed$',
    });
    const { receipts } = await verify([criterion('c1', { check: of })], FIX);
    expect(receipts).toMatchObject([{ verdict: 'passed', exitCode: 3 }]);
  });

  it('is told apart when the check was green before', async () => {
    const { receipts } = await verify([criterion('c1', { check: check('true') })], FIX);
    expect(receipts).toMatchObject([{ verdict: 'passed', flags: ['already_green'], base: { verdict: 'passed' } }]);
  });

  it('cannot edit, remove or add a protected test', async () => {
    const { receipts, io } = await verify([TEST], {
      'test/add.test.sh': 'echo "1 passed"\n',
      'test/more.test.sh': 'true\n',
    });
    const [receipt] = receipts;
    expect(receipt).toMatchObject({ verdict: 'wrong_exit', flags: ['protected_restored'] });
    expect(receipt?.changed).toEqual(['test/add.test.sh', 'test/more.test.sh']);
    expect(io.contents.get(receipt?.diffHash ?? '')).toContain('+echo "1 passed"');
  });

  it('is flagged for a test that nothing protects, with its diff', async () => {
    const open = criterion('c1', { check: check('make proof') });
    const { receipts, io } = await verify([open], { 'test/add.test.sh': 'true\n' });
    expect(receipts).toMatchObject([
      { verdict: 'passed', flags: ['red_to_green', 'tests_changed'], changed: ['test/add.test.sh'] },
    ]);
    expect(io.contents.get(receipts[0]?.diffHash ?? '')).toContain('+true');
  });

  it.each([
    ['the test script of package.json', 'package.json', '{"scripts": {"test": "true"}}\n'],
    ['a Makefile', 'Makefile', 'proof:\n\ttrue\n'],
    ['the file that the check runs', 'test/add.test.sh', 'true\n'],
    ['a new runner configuration', 'vitest.config.ts', 'export default {};\n'],
  ])('is flagged for %s', async (_, path, text) => {
    const open = criterion('c1', { check: check('sh test/add.test.sh || make proof') });
    const { receipts } = await verify([open], { ...FIX, [path]: text });
    expect(receipts[0]?.flags).toContain('script_changed');
    expect(receipts[0]?.changed).toContain(path);
  });

  it('is not flagged for a dependency in package.json', async () => {
    const { receipts } = await verify([TEST], {
      ...FIX,
      'package.json': '{"dependencies": {"x": "1"}, "scripts": {"test": "sh test/add.test.sh"}}\n',
    });
    expect(receipts[0]?.flags).toEqual(['red_to_green']);
  });

  it('cannot poison the next check', async () => {
    const criteria = [
      criterion('c1', { check: check('echo "echo 5" > add.sh; echo planted > ../planted; echo x > "$HOME/x"; true') }),
      criterion('c2', { check: check('[ "$(sh add.sh 2 3)" = 5 ]') }),
      criterion('c3', { check: check('[ ! -e ../planted ] && [ -z "$(ls -A "$HOME")" ]') }),
    ];
    const { receipts } = await verify(criteria, { 'note.txt': 'x\n' });
    expect(receipts.map(({ verdict }) => verdict)).toEqual(['passed', 'wrong_exit', 'passed']);
  });
});

describe('the set-up of checks (D23)', () => {
  const SETUP: Setup = {
    run: 'mkdir deps && cp lock.txt deps/installed && echo ran >&2',
    inputs: ['lock.txt'],
    network: 'none',
    timeoutSec: 60,
  };
  const USES = criterion('c1', {
    check: check('cat deps/installed; ls deps; sh test/add.test.sh', { protect: ['test/**'] }),
  });

  it('runs once and is provided by private copy', async () => {
    const first = await verify([USES], FIX, { setup: SETUP });
    expect(first.receipts).toMatchObject([{ verdict: 'passed', flags: ['red_to_green'] }]);
    expect(first.io.output().match(/^ran$/gm)).toHaveLength(1);
    const poison = criterion('c1', { check: check('echo bad > deps/installed') });
    const again = await requestFor(first.at, first.request.source.at('result'), [poison, { ...USES, id: 'c2' }], {
      setup: SETUP,
    });
    expect((await ask(again.request)).receipts).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed' }]);
    expect(again.io.output()).not.toContain('ran\n');
    expect(again.io.output()).toContain('dep 1\n');
  });

  it('lets nothing in that was committed into the dependency folder, and says so', async () => {
    const at = await scene({ ...PROJECT, '.gitignore': '' });
    await write(at.source, { ...FIX, 'deps/installed': 'planted\n', 'deps/extra': 'planted\n' });
    const { request, io } = await requestFor(at, await commitAll(at.source, 'plant'), [USES], { setup: SETUP });
    const { receipts } = await ask(request);
    expect(receipts).toMatchObject([{ verdict: 'passed', changed: ['deps'] }]);
    expect(receipts[0]?.flags).toContain('script_changed');
    expect(io.output()).not.toContain('planted');
    expect(io.output()).not.toContain('extra');
  });

  it('follows no link that was committed where one of its folders should be', async () => {
    const at = await scene({ ...PROJECT, 'pkg/a.txt': 'a\n' });
    const outside = join(at.root, 'outside');
    await mkdir(outside);
    await rm(join(at.source, 'pkg'), { recursive: true });
    await symlink(outside, join(at.source, 'pkg'));
    await write(at.source, FIX);
    const commit = await commitAll(at.source, 'link');
    const setup = { ...SETUP, run: 'mkdir pkg/deps && echo x > pkg/deps/installed' };
    const of = check('cat pkg/deps/installed && sh test/add.test.sh', { protect: ['test/**'] });
    const { request } = await requestFor(at, commit, [criterion('c1', { check: of })], { setup });
    expect((await ask(request)).receipts).toMatchObject([{ verdict: 'passed', changed: ['pkg'] }]);
    expect(await readdir(outside)).toEqual([]);
  });

  it('runs afresh for changed inputs, is said on the receipt, and stays out of the shared cache', async () => {
    const { receipts, io, request } = await verify([USES], { ...FIX, 'lock.txt': 'dep 2\n' }, { setup: SETUP });
    expect(receipts).toMatchObject([{ verdict: 'passed', flags: ['red_to_green', 'setup_changed'] }]);
    expect(io.output()).toContain('dep 2\n');
    expect(await readdir(request.cacheRoot)).toHaveLength(1);
  });

  it('that fails on the base says nothing about the work', async () => {
    const { result } = await verify([USES], FIX, { setup: { ...SETUP, run: 'echo no such registry; exit 5' } });
    expect(result).toMatchObject({ kind: 'setup_failed', exitCode: 5, log: { tail: 'no such registry\n' } });
  });

  it('that fails with the changed inputs fails every check', async () => {
    const setup = { ...SETUP, run: `grep -q "dep 1" lock.txt && ${SETUP.run}` };
    const { receipts } = await verify([USES], { ...FIX, 'lock.txt': 'dep 2\n' }, { setup });
    expect(receipts).toMatchObject([{ verdict: 'setup_failed', exitCode: 1, flags: ['setup_changed'] }]);
  });

  it('that only the work makes possible leaves the base unknown', async () => {
    const setup = { ...SETUP, run: `grep -q "dep 2" lock.txt && ${SETUP.run}` };
    const { receipts } = await verify([USES], { ...FIX, 'lock.txt': 'dep 2\n' }, { setup });
    expect(receipts).toMatchObject([{ verdict: 'passed', flags: ['base_unknown', 'setup_changed'] }]);
  });
});

describe('where checks run', () => {
  it('is said when nothing is enforced there', async () => {
    const at = await scene(PROJECT);
    const { request } = await requestFor(at, at.base, [TEST], { confinement: await confinementIn(at.root, bare) });
    expect((await ask(request)).receipts[0]?.flags).toContain('not_sandboxed');
  });

  it.skipIf(sandboxed.sandbox === 'none')('sees neither our data nor the network', async () => {
    const at = await scene(PROJECT);
    const of = check(`ls "${join(at.root, 'data', 'setups')}" || exit 7`);
    await mkdir(join(at.root, 'data', 'setups'), { recursive: true });
    const { request } = await requestFor(at, at.base, [criterion('c1', { check: of })]);
    expect((await ask(request)).receipts).toMatchObject([{ verdict: 'wrong_exit', exitCode: 7 }]);
  });

  it('has git at work in the checkout', async () => {
    const of = check('git log --oneline && git status --short && [ -z "$(git status --short)" ]');
    const { receipts } = await verify([criterion('c1', { check: of })], FIX);
    expect(receipts).toMatchObject([{ verdict: 'passed' }]);
  });

  it('is a subfolder with umlauts and CRLF files, whose protection is meant from there', async () => {
    const at = await scene({
      'täst [1]/prüfung/a.sh': 'grep -q "^fertig" zwölf.txt\n',
      'täst [1]/zwölf.txt': 'offen\r\n',
    });
    await write(at.source, { 'täst [1]/prüfung/a.sh': 'true\n', 'täst [1]/zwölf.txt': 'fertig\r\n' });
    const commit = await commitAll(at.source, 'fertig');
    const of = check('sh prüfung/a.sh && cat zwölf.txt', { protect: ['prüfung/**'] });
    const source = await gitSource({ repo: at.repo, base: at.base, commit, subdirectory: 'täst [1]' });
    const { request } = await requestFor(at, commit, [criterion('c1', { check: of })], { source });
    expect((await ask(request)).receipts).toMatchObject([
      {
        verdict: 'passed',
        flags: ['red_to_green', 'protected_restored'],
        changed: ['täst [1]/prüfung/a.sh'],
        log: { tail: 'fertig\r\n' },
      },
    ]);
  });

  it('shows no secret in log, receipt or diff', async () => {
    const of = check(`echo ${CANARY}; echo "$API_TOKEN"`, { env: { API_TOKEN: 'declared-secret-2' } });
    const { receipts, io } = await verify([criterion('c1', { check: of })], { 'test/x.test.sh': `echo ${CANARY}\n` });
    const { command, ...rest } = receipts[0] ?? { command: '' };
    expect(command).toContain('echo');
    expect(rest).toMatchObject({ verdict: 'passed' });
    expect(io.everything() + JSON.stringify(rest)).not.toContain(CANARY);
    expect(io.everything() + JSON.stringify(rest)).not.toContain('declared-secret-2');
  });

  it('is left at once when the verification is stopped', async () => {
    const at = await scene(PROJECT);
    const stop = new AbortController();
    const io = recorder(stop.signal);
    const of = check('(setsid sleep 600 &); echo standing; sleep 600', { timeoutSec: 3_600 });
    const { request } = await requestFor(at, at.base, [criterion('c1', { check: of })], { io });
    const asked = ask(request);
    await io.printed('standing');
    stop.abort(new Error('lease lost'));
    expect((await asked).result).toEqual({ kind: 'stopped' });
  });
});

describe('a directory without git', () => {
  async function plain(
    change: Readonly<Record<string, string>>,
    more: Partial<ChecksRequest> = {},
    limits?: { maxFiles: number; maxBytes: number },
  ) {
    const root = await place();
    const [directory, baseCopy] = [join(root, 'projekt ä'), join(root, 'data', 'base')];
    await write(baseCopy, PROJECT);
    await write(directory, { ...PROJECT, ...change });
    const source = await plainSource({ directory, baseCopy, ...(limits ? { limits } : {}) });
    const io = recorder();
    const request: ChecksRequest = {
      source,
      runId: nextRunId(),
      epoch: 1,
      cacheRoot: join(root, 'data', 'setups'),
      workRoot: join(root, 'data', 'verify'),
      confinement: await confinementIn(root, sandboxed),
      io,
      criteria: [TEST],
      knownBase: [],
      engine: '0.0.0-test',
      ...more,
    };
    return { directory, io, ...(await ask(request)) };
  }

  it('is checked in a copy, named by its content, with its protected files put back', async () => {
    const touches = criterion('c1', { check: check('sh test/add.test.sh && echo x > made', { protect: ['test/**'] }) });
    const { receipts, directory } = await plain({ ...FIX, 'test/add.test.sh': 'true\n' }, { criteria: [touches] });
    expect(receipts).toMatchObject([
      {
        verdict: 'passed',
        at: expect.stringMatching(/^content:[0-9a-f]{64}$/),
        flags: ['red_to_green', 'protected_restored'],
        changed: ['test/add.test.sh'],
        diffHash: expect.any(String),
      },
    ]);
    expect(await readdir(directory)).not.toContain('made');
  });

  it('that is too large to copy is checked in place, and that is said', async () => {
    const { receipts, directory } = await plain(
      FIX,
      { criteria: [criterion('c1', { check: check('pwd > where') })] },
      { maxFiles: 2, maxBytes: 1e9 },
    );
    expect(receipts).toMatchObject([{ verdict: 'passed', flags: ['base_unknown', 'in_place'] }]);
    expect(await readFile(join(directory, 'where'), 'utf8')).toBe(`${directory}\n`);
  });
});
