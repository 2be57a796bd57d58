import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { landingStatus } from '../../src/workspace/landing/landing-state.ts';
import { ask, gate, loaded, openRequest, reached, started, submitted, tell, until } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const PLAN = `
goal: land on main
criteria:
  - text: the files are changed
    check: grep -qx landed a.txt && test -e d.txt
delivery: merge
actions:
  - id: change
    run: echo landed > a.txt; echo new > d.txt; rm c.txt
    for: [c1]
`;
const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

describe('a landing that is cut off in the middle', () => {
  let bench: Workbench;
  let paused: Engine | undefined;
  let stateDir: string | undefined;
  afterEach(async () => {
    await paused?.stop();
    // Also of a test that failed before its own kill: the landing process would stand there for ever.
    if (stateDir && (await landingStatus(stateDir)).kind === 'running') await kill(stateDir);
    await bench.close();
  });

  /** An engine whose landing process stops for good at a phase, as if it were about to be killed there. */
  async function carryTo(phase: string): Promise<{ id: string; landing: string }> {
    const id = await submitted(bench, PLAN);
    await bench.write('b.txt', 'my edit\n');
    paused = openEngine({ ...bench.world, env: { ...bench.world.env, WORKCENTER_LANDING_PAUSE_AT: phase } });
    await paused.start();
    const landing = bench.world.home.landing(id);
    stateDir = landing;
    await reached({ isReached: () => existsSync(join(landing, 'paused')) });
    return { id, landing };
  }

  /** The group of the landing process, which we started and which is stopped for good. */
  async function kill(landing: string): Promise<void> {
    const [pid] = (await readFile(join(landing, 'owner'), 'utf8')).split(' ');
    process.kill(-Number(pid), 'SIGKILL');
    while ((await landingStatus(landing)).kind === 'running') await new Promise((resolve) => setImmediate(resolve));
  }

  it.each(['claimed', 'locked', 'files', 'written', 'ref', 'index'])(
    "D32: is completed after a kill in phase %s; git status shows only the user's own edit",
    async (phase) => {
      bench = await openWorkbench({ sandbox: false, files: FILES });
      const { id, landing } = await carryTo(phase);
      await paused?.stop();
      expect((await loaded(bench, id)).landing.kind).toBe('reserved');
      await kill(landing);
      const engine = await started(bench);
      const state = await engine.untilSettled(id);
      expect(state.lifecycle).toBe('done');
      expect(await bench.git('rev-parse', 'main')).toBe(state.finalResult?.commit);
      expect((await bench.git('status', '--porcelain')).trim()).toBe('M b.txt');
      expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('landed\n');
      expect(existsSync(join(bench.repo, 'c.txt'))).toBe(false);
      expect(existsSync(join(bench.repo, '.git', 'index.lock'))).toBe(false);
    },
  );

  it('D32: asks when the user wrote into a file meanwhile, keeps their words, and goes on after retry', async () => {
    bench = await openWorkbench({ sandbox: false, files: FILES });
    const { id, landing } = await carryTo('files');
    await paused?.stop();
    await kill(landing);
    await bench.write('a.txt', 'their words\n');
    const engine = await started(bench);
    const request = openRequest(await engine.untilSettled(id));
    expect(request.subject).toEqual({ kind: 'delivery_blocked', code: 'landing_overlap' });
    expect(request.details).toEqual(['a.txt']);
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('their words\n');
    await writeFile(join(bench.repo, 'a.txt'), 'a\n');
    await tell(bench, id, { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' });
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('landed\n');
  });
});

describe('control in the middle of a landing', () => {
  let bench: Workbench;
  let letGo: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await letGo?.();
    await bench.close();
  });

  /** The user's own filter makes writing a.txt wait at the gate: the landing is under way, and goes on when it opens. */
  async function inTheMiddle(alongside?: (wait: string) => string) {
    bench = await openWorkbench({ sandbox: false, files: { ...FILES, '.gitattributes': 'a.txt filter=slow\n' } });
    const door = gate(bench, 'door');
    await bench.git('config', 'filter.slow.smudge', `sh -c "${door.wait.replaceAll("'", '')}; cat"`);
    const id = await submitted(bench, PLAN);
    const side = gate(bench, 'side');
    const second = alongside ? await submitted(bench, alongside(side.wait)) : '';
    const engine = await started(bench);
    letGo = async () => {
      await door.open();
      const stateDir = bench.world.home.landing(id);
      while ((await landingStatus(stateDir)).kind === 'running') await new Promise((resolve) => setImmediate(resolve));
    };
    await reached(door);
    await side.open();
    return { id, engine, door, second, state: await loaded(bench, id) };
  }

  it('D32: stop waits for it (cancelling), then ends cancelled and merged', async () => {
    const { id, engine, door } = await inTheMiddle();
    expect((await tell(bench, id, { type: 'StopItem', reason: 'changed my mind' })).lifecycle).toBe('cancelling');
    await door.open();
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('cancelled');
    expect(state.landing).toMatchObject({ kind: 'landed' });
    expect(await bench.git('show', 'main:a.txt')).toBe('landed');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: retry, close, redirect and a contract edit are refused with landing_in_progress; it ends done and merged', async () => {
    const { id, engine, door, state } = await inTheMiddle();
    const { contract, contractVersion } = state;
    const address = { actionId: 'change', generation: 1 };
    const refusals = await Promise.all([
      ask(bench, id, { type: 'RetryAction', ...address }),
      ask(bench, id, { type: 'CloseAction', ...address, reason: 'no', cascade: false }),
      ask(bench, id, { type: 'RedirectAction', ...address, guidance: 'other way' }),
      ask(bench, id, { type: 'EditContract', contractVersion, contract: { ...contract, goal: 'another' } }),
      ask(bench, id, { type: 'AskVerification' }),
    ]);
    expect(refusals.map((refusal) => 'code' in refusal && refusal.code)).toEqual(Array(5).fill('landing_in_progress'));
    await door.open();
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: an engine that stops does not wait for it nor kill it; the next one finds what it did', async () => {
    const { id, engine, door } = await inTheMiddle();
    await engine.stop();
    expect((await loaded(bench, id)).landing.kind).toBe('reserved');
    expect((await landingStatus(bench.world.home.landing(id))).kind).toBe('running');
    const next = await started(bench);
    await door.open();
    expect((await next.untilSettled(id)).lifecycle).toBe('done');
    expect(await bench.git('status', '--porcelain')).toBe('');
  });

  it('D32: a second item that lands on the same branch meanwhile waits for its turn', async () => {
    const { id, engine, door, second } = await inTheMiddle(
      (wait) => `
goal: land on main as well
criteria:
  - text: b is changed
    check: grep -qx landed b.txt
delivery: merge
actions:
  - id: change
    run: "${wait}; echo landed > b.txt"
    for: [c1]
`,
    );
    await until(bench, second, ({ published }) => published !== undefined);
    expect((await loaded(bench, second)).landing.kind).toBe('none');
    await door.open();
    expect((await engine.untilSettled(id)).lifecycle).toBe('done');
    expect((await engine.untilSettled(second)).lifecycle).toBe('done');
    expect(await bench.git('show', 'main:a.txt', 'main:b.txt')).toBe('landed\nlanded');
  });
});
