import { describe, expect, test } from 'vitest';
import { EVENT_VERSION, evolve, type ItemState } from '../../src/core/index.ts';
import { steadyClock } from '../../src/store/clock.ts';
import { commandHash } from '../../src/store/door.ts';
import { decodeEvent, encodeEvent } from '../../src/store/event-codec.ts';
import { comesBefore, decodeCursor, encodeCursor, likePattern } from '../../src/store/list-cursor.ts';
import { decodeSnapshot, foldRows, SNAPSHOT_FORMAT } from '../../src/store/read-state.ts';
import { DEFAULT_PATIENCE, retryWhile, waitMs } from '../../src/store/retry.ts';
import { sha256Hex } from '../../src/store/sha256.ts';
import { stateCache } from '../../src/store/state-cache.ts';
import { upcast } from '../../src/store/upcast.ts';
import { contract, create, createBody } from './items.ts';

const CREATED = {
  ...createBody(),
  type: 'ItemCreated',
  actions: [],
  titlePending: false,
  attachments: [],
  background: [],
  reuseMemory: true,
} as const;

function stateOf(id: string, version = 1): ItemState {
  const { start: _start, ...body } = CREATED;
  return { ...evolve(undefined, id, { seq: 1, at: 5, body }), version };
}

describe('the clock', () => {
  test('never runs backwards, and goes on when the machine has caught up', () => {
    const readings = [100, 50, 99.9, 101.7];
    const now = steadyClock(
      () => readings.shift() ?? 0,
      () => 0,
    );
    expect([now(), now(), now(), now(), now()]).toEqual([100, 100, 100, 101, 101]);
  });

  test('D8: after a step back it goes on at half speed, so that short back-offs end before the step is made good', () => {
    let wallMs = 600_000;
    let elapsedMs = 0;
    const now = steadyClock(
      () => wallMs,
      () => elapsedMs,
    );
    now();
    wallMs = 0;
    expect(now()).toBe(600_000);
    elapsedMs += 2_000;
    wallMs += 2_000;
    expect(now()).toBe(601_000);
    elapsedMs += 1_198_000;
    wallMs += 1_198_000;
    expect(now()).toBe(1_200_000);
    wallMs += 5;
    expect(now()).toBe(1_200_005);
  });
});

describe('waiting for the lock', () => {
  test('waits double up to a bound and are spread', () => {
    const patience = { ...DEFAULT_PATIENCE, firstMs: 2, maxMs: 16 };
    expect([0, 1, 2, 3, 9].map((attempt) => waitMs(attempt, { ...patience, random: () => 0 }))).toEqual([
      1, 2, 4, 8, 8,
    ]);
    expect(waitMs(9, { ...patience, random: () => 0.5 })).toBe(12);
  });

  test('what may not be retried is thrown at once', async () => {
    let tries = 0;
    const work = (): never => {
      tries += 1;
      throw new Error('no');
    };
    await expect(retryWhile(work, () => false, DEFAULT_PATIENCE)).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});

describe('the cache', () => {
  test('forgets what was used least recently, by count and by size', () => {
    const cache = stateCache({ items: 2, chars: 100 });
    cache.put(stateOf('a'), 10);
    cache.put(stateOf('b'), 10);
    cache.get('a');
    cache.put(stateOf('c'), 10);
    expect([cache.get('a')?.id, cache.get('b'), cache.get('c')?.id]).toEqual(['a', undefined, 'c']);
    cache.put(stateOf('c', 2), 95);
    expect(cache.size()).toEqual({ items: 0, chars: 0 });
  });

  test('an older version never replaces a newer one', () => {
    const cache = stateCache();
    cache.put(stateOf('a', 5), 1);
    cache.put(stateOf('a', 4), 1);
    expect(cache.get('a')?.version).toBe(5);
  });
});

describe('cursors', () => {
  test('come back as they went, and nothing else is one', () => {
    const position = { updatedAt: 17, id: 'grün' };
    expect(decodeCursor(encodeCursor(position))).toEqual(position);
    for (const text of ['', 'x', encodeCursor({ updatedAt: 0.5, id: '' }), btoa('[1]'), btoa('[1,2]')]) {
      expect(decodeCursor(text)).toBeUndefined();
    }
  });

  test('order is newest first, then the greater id', () => {
    const rows = [
      { updatedAt: 1, id: 'b' },
      { updatedAt: 2, id: 'a' },
      { updatedAt: 1, id: 'c' },
    ];
    expect(rows.toSorted(comesBefore).map((row) => row.id)).toEqual(['a', 'c', 'b']);
  });

  test('wildcards of a search mean themselves', () => {
    expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%');
  });
});

describe('stored events', () => {
  test('come back as they were', () => {
    const event = { seq: 3, at: 7, body: { type: 'StopRequested', reason: 'half \ud83d' } } as const;
    expect(decodeEvent(encodeEvent(event))).toEqual({ type: 'decoded', event });
  });

  test('of a newer version, an unknown type or no object are unreadable, not guessed at', () => {
    expect(upcast('ItemStarted', EVENT_VERSION + 1, {}).type).toBe('unreadable');
    expect(upcast('ItemStarted', 0, {}).type).toBe('unreadable');
    expect(upcast('toString', 1, {}).type).toBe('unreadable');
    expect(upcast('ItemStarted', 1, []).type).toBe('unreadable');
    expect(upcast('ItemStarted', 1, {})).toEqual({ type: 'upcast', body: { type: 'ItemStarted' } });
  });

  test('that do not begin at the next number do not fold', () => {
    const row = encodeEvent({ seq: 3, at: 7, body: { type: 'ItemStarted' } });
    expect(foldRows('a', [row], stateOf('a'))).toEqual({ type: 'unfoldable', reason: 'event 2 is missing' });
  });

  test('a snapshot of another format, item or version is not used', () => {
    const row = { version: 1, format: SNAPSHOT_FORMAT, data: JSON.stringify(stateOf('a')) };
    expect(decodeSnapshot(row, 'a')?.id).toBe('a');
    expect(decodeSnapshot({ ...row, format: SNAPSHOT_FORMAT + 1 }, 'a')).toBeUndefined();
    expect(decodeSnapshot({ ...row, version: 2 }, 'a')).toBeUndefined();
    expect(decodeSnapshot(row, 'b')).toBeUndefined();
  });
});

describe('equal submissions', () => {
  test('have one hash, whatever id and base the caller found', () => {
    const hash = (id: string, shape = {}) => commandHash(create(id, shape), sha256Hex);
    expect(hash('a')).toBe(hash('b'));
    expect(hash('a', { contract: { title: 'Other' } })).not.toBe(hash('a'));
    const base = { kind: 'plain', contentHash: 'x' } as const;
    const other = { ...create('a'), body: { ...createBody(), base } };
    expect(commandHash(other, sha256Hex)).toBe(hash('a'));
    expect(contract().directory).toBe('/projects/example');
  });
});
