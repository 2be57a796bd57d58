import { type ChildProcess, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readExitFile } from '../../../src/workspace/process/exit-file.ts';
import { killTagged } from '../../../src/workspace/process/tagged-processes.ts';
import { compiledScript } from '../../support/compiled-script.ts';
import type { FixtureInput } from './engine-fixture.ts';
import { bare, because, countTagged, makePlace, noSandbox, type Place, start, until, ways } from './support.ts';

const FIXTURE = await compiledScript(new URL('./engine-fixture.ts', import.meta.url));
const CRASH = `crash-${process.pid}`;
const OTHER = `other-${process.pid}`;
const STUBBORN = `setsid sh -c 'trap "" TERM HUP; sleep 987654 & sleep 987654' & echo up; wait`;

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(async () => {
  const leaked = await killTagged({ runIds: new Set([CRASH, OTHER]) });
  await place.remove();
  expect(leaked.killed).toEqual([]);
});

interface Engine {
  readonly child: ChildProcess;
  text(): string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

function startEngine(overrides: Partial<FixtureInput>): Engine {
  const input: FixtureInput = {
    policy: place.policy,
    env: place.env,
    runId: CRASH,
    disabled: false,
    commands: 1,
    script: STUBBORN,
    stuckRecording: false,
    ...overrides,
  };
  const child = spawn(process.execPath, [FIXTURE, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = () => {
    child.kill('SIGKILL');
    return gone;
  };
  return { child, text: () => text, kill };
}

const count = (engine: Engine, line: string) => engine.text().split(`${line}\n`).length - 1;

test.skipIf(noSandbox)(`an engine that dies takes every process in its sandbox with it${because}`, async () => {
  const engine = startEngine({});
  await until('the command runs', async () => count(engine, 'up') === 1);
  expect(await countTagged(CRASH)).toBeGreaterThan(2);
  await engine.kill();
  await until('all are gone without anyone looking for them', async () => (await countTagged(CRASH)) === 0);
});

test('without a sandbox what a dead engine left is found by run and killed, and only that', async () => {
  const engine = startEngine({ disabled: true });
  const other = await start(place, {
    argv: ['sh', '-c', 'echo up; sleep 987654'],
    enforcement: bare,
    runTag: `${OTHER}:4`,
  });
  await other.printed('up');
  await until('the command runs', async () => count(engine, 'up') === 1);
  await engine.kill();
  expect(await countTagged(CRASH)).toBeGreaterThan(2);
  expect(await countTagged(CRASH.slice(0, -1))).toBe(0);

  const report = await killTagged({ runIds: new Set([CRASH, 'absent']) });
  expect(report.killed.length).toBeGreaterThan(2);
  expect(report.killed.every(({ runTag }) => runTag === `${CRASH}:0`)).toBe(true);
  expect(report.remaining).toEqual([]);
  expect(await countTagged(CRASH)).toBe(0);
  expect(await countTagged(OTHER)).toBeGreaterThan(0);
  other.abort('done');
  await other.exited;
});

describe.each(ways)('a command $way', ({ enforcement }) => {
  const stuckEngine = () =>
    startEngine({
      disabled: enforcement.sandbox === 'none',
      commands: 5,
      script: 'touch ran-$$; sleep 987654',
      stuckRecording: true,
    });

  test('whose engine dies between spawn and record never runs and goes by itself, twenty times', async () => {
    for (let round = 0; round < 4; round += 1) {
      const engine = stuckEngine();
      await until('five commands stand at the gate', async () => count(engine, 'spawned') === 5);
      await engine.kill();
      await until('the gate has closed on all', async () => (await countTagged(CRASH)) === 0);
    }
    expect(await readdir(place.workspace)).toEqual([]);
  });

  test('whose engine dies while it is being started never runs, and the sweep finds what is left', async () => {
    for (const killAt of [1, 2, 3, 4]) {
      const engine = stuckEngine();
      await until('some commands stand at the gate', async () => count(engine, 'spawned') >= killAt);
      await engine.kill();
      await killTagged({ runId: CRASH });
      expect(await countTagged(CRASH)).toBe(0);
    }
    expect(await readdir(place.workspace)).toEqual([]);
  });

  test('that ended just before its engine died is recognised by its exit file', async () => {
    const engine = startEngine({
      disabled: enforcement.sandbox === 'none',
      script: 'exit 9',
      exitFile: place.exitFile,
    });
    await until('the exit file is there', async () => (await readExitFile(place.exitFile)) !== null);
    await engine.kill();
    expect(await readExitFile(place.exitFile)).toBe(9);
  });
});
