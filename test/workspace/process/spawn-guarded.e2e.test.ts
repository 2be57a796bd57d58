import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readExitFile } from '../../../src/workspace/process/exit-file.ts';
import { identify, isAlive, type ProcessIdentity } from '../../../src/workspace/process/process-identity.ts';
import { killTagged } from '../../../src/workspace/process/tagged-processes.ts';
import { manualTimers } from './manual-timers.ts';
import { countTagged, finish, makePlace, type Place, RUN_ID, sandboxed, start, until, ways } from './support.ts';

const SERVER_THAT_STAYS = `setsid sh -c 'trap "" TERM HUP; sleep 987654 & sleep 987654' >/dev/null 2>&1 &`;

let place: Place;
beforeEach(async () => {
  place = await makePlace();
});
afterEach(async () => {
  const leaked = await killTagged({ runId: RUN_ID });
  await place.remove();
  expect(leaked.killed).toEqual([]);
});

describe.each(ways)('a guarded command $way', ({ enforcement }) => {
  const sh = (script: string) => ({ argv: ['sh', '-c', script], enforcement });

  test('reports its exit code, both streams, its directory and the run it belongs to', async () => {
    const result = await finish(place, sh('echo out; echo err >&2; pwd; echo "$WORKCENTER_RUN"; exit 7'));
    expect(result).toMatchObject({ exitCode: 7, signal: null, cause: 'exited' });
    for (const line of ['out', 'err', place.workspace, `${RUN_ID}:1`]) expect(result.text).toContain(`${line}\n`);
  });

  test('that does not exist ends with 127, one that may not run with 126, a killed one with 128 + n', async () => {
    const missing = await finish(place, { argv: ['no-such-program'], enforcement });
    expect(missing).toMatchObject({ exitCode: 127, cause: 'exited' });
    expect(await finish(place, { argv: ['/etc/passwd'], enforcement })).toMatchObject({ exitCode: 126 });
    expect(await finish(place, sh('kill -KILL $$'))).toMatchObject({ exitCode: 137, cause: 'exited' });
  });

  test('is a program, never a builtin of the shell around it', async () => {
    expect(await finish(place, { argv: ['exit', '0'], enforcement })).toMatchObject({ exitCode: 127 });
  });

  test('that cannot start where it should says why and never runs', async () => {
    let recorded = 0;
    const result = await finish(place, {
      ...sh('echo ran'),
      cwd: join(place.root, 'missing'),
      onSpawned: async () => {
        recorded += 1;
      },
    });
    expect(result).toMatchObject({ cause: 'spawn_failed', exitCode: null, text: '', durationMs: 0 });
    expect(result.detail).toContain('missing');
    expect(recorded).toBe(0);
  });

  test('waits until it is recorded, and does not run if that fails', async () => {
    let seen: ProcessIdentity | null = null;
    let ranBefore = true;
    const recorded = await finish(place, {
      ...sh('touch ran'),
      onSpawned: async (identity) => {
        seen = identity;
        expect(await isAlive(identity)).toBe(true);
        ranBefore = await exists(join(place.workspace, 'ran'));
      },
    });
    expect(recorded).toMatchObject({ cause: 'exited', exitCode: 0 });
    expect(seen).toMatchObject({ runTag: `${RUN_ID}:1`, machine: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(ranBefore).toBe(false);

    const refused = await finish(place, {
      ...sh('touch ran-unrecorded'),
      onSpawned: () => Promise.reject(new Error('disk full')),
    });
    expect(refused).toMatchObject({ cause: 'spawn_failed', exitCode: null });
    expect(refused.detail).toContain('disk full');
    expect(await exists(join(place.workspace, 'ran-unrecorded'))).toBe(false);
  });

  test('leaves its exit code in the exit file and nothing else beside it', async () => {
    expect(await readExitFile(place.exitFile)).toBeNull();
    await finish(place, { ...sh('exit 3'), exitFile: place.exitFile });
    expect(await readExitFile(place.exitFile)).toBe(3);
    expect(await readdir(join(place.exitFile, '..'))).toEqual(['exit']);
  });

  test('that runs too long is ended as timed out', async () => {
    const timers = manualTimers();
    const running = await start(place, { ...sh('echo up; sleep 987654'), timeoutMs: 5_000, timers });
    await running.printed('up');
    timers.fire(5_000);
    const report = await running.exited;
    expect(report.cause).toBe('timed_out');
    expect(report.detail).toContain('5000 ms');
    expect(timers.pendingDelaysMs()).toEqual([]);
  });

  test('that prints nothing is ended as silent; output starts the silence anew', async () => {
    const timers = manualTimers();
    const spec = { ...sh('echo one; read line; echo two; sleep 987654'), silenceMs: 700, timers };
    const running = await start(place, { ...spec, stdin: 'go\n' });
    await running.printed('two');
    await until('silence is counted', async () => timers.pendingDelaysMs().includes(700));
    timers.fire(700);
    expect(await running.exited).toMatchObject({ cause: 'silent' });
  });

  test('that ignores SIGTERM is killed after the grace', async () => {
    const timers = manualTimers();
    const running = await start(place, {
      ...sh('trap "" TERM; echo up; while :; do sleep 987654; done'),
      graceMs: 400,
      timers,
    });
    await running.printed('up');
    running.abort('the user stopped it');
    running.abort('again');
    timers.fire(400);
    const report = await running.exited;
    expect(report).toMatchObject({ cause: 'aborted', detail: 'the user stopped it', exitCode: null });
    expect(report.signal).toBe('SIGKILL');
  });

  test('may end by itself within the grace, and its exit code is kept', async () => {
    const running = await start(place, {
      ...sh('trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.05; done'),
      timers: manualTimers(),
    });
    await running.printed('up');
    running.abort('stop');
    expect(await running.exited).toMatchObject({ cause: 'aborted', exitCode: 5 });
    expect(running.text()).toContain('bye');
  });

  test('ends with the abort signal it was given, even one that was aborted before', async () => {
    const controller = new AbortController();
    const running = await start(place, { ...sh('echo up; sleep 987654'), signal: controller.signal });
    await running.printed('up');
    controller.abort(new Error('lease lost'));
    expect(await running.exited).toMatchObject({ cause: 'aborted', detail: 'lease lost' });
    const late = await finish(place, { ...sh('touch late'), signal: controller.signal });
    expect(late).toMatchObject({ cause: 'aborted', exitCode: null });
    expect(await exists(join(place.workspace, 'late'))).toBe(false);
  });

  test('leaves no server that forked twice and ignores SIGTERM, at its end and at an abort', async () => {
    const ended = await finish(place, sh(`${SERVER_THAT_STAYS} echo left`));
    expect(ended).toMatchObject({ cause: 'exited', exitCode: 0, text: 'left\n' });
    expect(ended.detail).toBeUndefined();
    expect(await countTagged(RUN_ID)).toBe(0);

    const running = await start(place, sh(`${SERVER_THAT_STAYS} echo up; wait; sleep 987654`));
    await running.printed('up');
    expect(await countTagged(RUN_ID)).toBeGreaterThan(1);
    running.abort('stop');
    await running.exited;
    expect(await countTagged(RUN_ID)).toBe(0);
  });

  test('ends without taking a sibling of the same run with it', async () => {
    const long = await start(place, sh('echo up; sleep 987654'));
    await long.printed('up');
    await finish(place, sh(`${SERVER_THAT_STAYS} true`));
    expect(await isAlive(long.identity)).toBe(true);
    long.abort('done');
    await long.exited;
    expect(await isAlive(long.identity)).toBe(false);
  });

  test('that asks for a password gets an end of input and no terminal', async () => {
    const result = await finish(place, sh('read -r answer || echo no-input; (: </dev/tty) 2>/dev/null || echo no-tty'));
    expect(result).toMatchObject({ cause: 'exited', text: 'no-input\nno-tty\n' });
  });

  test('reads what it is given on standard input', async () => {
    const big = `${'0123456789'.repeat(50_000)}\n`;
    expect((await finish(place, { ...sh('cat | wc -c'), stdin: big })).text.trim()).toBe(String(big.length));
    expect(await finish(place, { ...sh('exit 0'), stdin: big })).toMatchObject({ exitCode: 0 });
  });

  test('can open its own output again, as scripts with /dev/stderr do', async () => {
    const result = await finish(place, sh('echo a > /dev/stdout; echo b > /dev/stderr'));
    expect(result.exitCode).toBe(0);
    expect([...result.text].sort().join('').trim()).toBe('ab');
  });

  test('is held back by a taker that does not keep up, and loses nothing', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = 0;
    const running = await start(place, {
      ...sh('head -c 3000000 /dev/zero; touch written'),
      onOutput: async ({ bytes }) => {
        taken += bytes.length;
        await gate;
      },
    });
    await until('the first chunk is there', async () => taken > 0);
    const held = taken;
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBe(held);
    expect(await exists(join(place.workspace, 'written'))).toBe(false);
    release();
    expect(await running.exited).toMatchObject({ cause: 'exited', exitCode: 0 });
    expect(taken).toBe(3_000_000);
  });

  test('is ended when its output cannot be taken', async () => {
    const result = await finish(place, {
      ...sh('echo up; sleep 987654'),
      onOutput: () => Promise.reject(new Error('log disk full')),
    });
    expect(result).toMatchObject({ cause: 'aborted' });
    expect(result.detail).toContain('log disk full');
  });

  test('measures its duration on the clock it is given', async () => {
    let clockMs = 1_000;
    const nowMs = () => {
      clockMs += 250;
      return clockMs;
    };
    expect((await finish(place, { ...sh('true'), nowMs })).durationMs).toBe(250);
  });

  test('has no descriptor of ours open', async () => {
    const result = await finish(place, sh('for fd in 3 4 5 6; do [ -e /proc/$$/fd/$fd ] && echo open $fd; done; true'));
    expect(result.text).toBe('');
  });
});

test('a started and finished command leaves no descriptor open in the engine', async () => {
  const enforcement = sandboxed;
  await finish(place, { argv: ['true'], enforcement });
  const before = (await readdir('/proc/self/fd')).length;
  for (let round = 0; round < 5; round += 1) await finish(place, { argv: ['true'], enforcement });
  await until('descriptors are closed', async () => (await readdir('/proc/self/fd')).length <= before);
});

test('a process id that was reused is not taken for the old process', async () => {
  const self = await identify(process.pid, `${RUN_ID}:1`);
  expect(await isAlive(self)).toBe(true);
  expect(await isAlive({ ...self, startTime: self.startTime - 1 })).toBe(false);
  expect(await isAlive({ ...self, machine: 'another' })).toBe(false);
});

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
