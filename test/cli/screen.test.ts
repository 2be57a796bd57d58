import { describe, expect, test } from 'vitest';
import { type App, itemNamed } from '../../src/cli/app.ts';
import { openLiveScreen } from '../../src/cli/live-screen.ts';
import { openPause } from '../../src/cli/pause.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { createBody } from '../core/builders.ts';
import { appOn, SHELL } from './support.ts';

async function appWith(...ids: readonly string[]): Promise<App> {
  const store = openMemoryStore({ now: SHELL.now });
  for (const itemId of ids) {
    await store.execute({ itemId, principal: { kind: 'user', name: 'ada' }, body: createBody({}) });
  }
  return appOn(store);
}

describe('an id', () => {
  test('may be shortened as long as it names one item', async () => {
    const app = await appWith('abc123', 'abd456', 'xyz789');
    expect(await itemNamed(app, 'x')).toMatchObject({ id: 'xyz789' });
    expect(await itemNamed(app, 'ABC')).toMatchObject({ id: 'abc123' });
  });

  test('that names several is refused with the list, one that names none is not found', async () => {
    const app = await appWith('abc123', 'abd456', 'ab');
    expect(await itemNamed(app, 'ab')).toMatchObject({ id: 'ab' });
    expect(await itemNamed(app, 'a')).toMatchObject({ code: 'item_ambiguous', exit: 2, found: 'ab, abc123, abd456' });
    expect(await itemNamed(app, 'q')).toMatchObject({ code: 'item_not_found', exit: 4 });
    expect(await itemNamed(app, '')).toMatchObject({ code: 'item_not_found', exit: 4 });
    expect(await itemNamed(app, '%')).toMatchObject({ code: 'item_not_found', exit: 4 });
  });
});

describe('the live block of a terminal', () => {
  test('is drawn over itself, left alone while nothing changes, and gives the cursor back', () => {
    const written: string[] = [];
    const screen = openLiveScreen((text) => written.push(text));
    screen.draw(['one', 'two']);
    screen.draw(['one', 'two']);
    screen.draw(['three']);
    screen.close();
    screen.close();
    expect(written).toEqual([
      '\u001b[?25l\rone\u001b[K\ntwo\u001b[K\n\u001b[0J',
      '\u001b[2A\rthree\u001b[K\n\u001b[0J',
      '\u001b[1A\r\u001b[0J\u001b[?25h',
    ]);
  });
});

describe('a pause', () => {
  test('ends when it is woken, also by a wake that came before', async () => {
    const pause = openPause(new AbortController().signal);
    pause.wake();
    await pause.wait(3_600_000);
    const waiting = pause.wait(3_600_000);
    pause.wake();
    await waiting;
  });

  test('ends when the signal aborts, and at once afterwards', async () => {
    const controller = new AbortController();
    const pause = openPause(controller.signal);
    const waiting = pause.wait(3_600_000);
    controller.abort();
    await waiting;
    await pause.wait(3_600_000);
  });
});
