import { describe, expect, test } from 'vitest';
import { INVENTORY_LIMITS, inventoryOf } from '../../src/vp/inventory.ts';
import { vp } from './support.ts';

const crowd = Array.from({ length: 60 }, (_, n) => vp(`v${String(n).padStart(2, '0')}`, ['x']));
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('G14, V33: the inventory for the Coordinator', () => {
  test('holds at most 48 VPs and says how many are missing', () => {
    const { vps, omitted } = inventoryOf(crowd);
    expect(vps).toHaveLength(48);
    expect(omitted).toBe(12);
  });

  test('puts those that fit what is needed first, so that none of them is cut off', () => {
    const all = [...crowd, vp('zz-reviewer', ['review']), vp('zy-auditor', ['audit'])];
    expect(
      inventoryOf(all, ['implement', 'review'])
        .vps.map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(['zz-reviewer', 'zy-auditor', 'v00']);
  });

  test('stays within 8 KiB of JSON, with letters of three bytes too', () => {
    const wide = crowd.map((one) => ({
      ...one,
      name: '漢'.repeat(120),
      role: '漢'.repeat(200),
      traits: ['漢'.repeat(80)],
    }));
    const inventory = inventoryOf(wide);
    expect(bytesOf(inventory)).toBeLessThanOrEqual(INVENTORY_LIMITS.bytes);
    expect(inventory.vps.length).toBeGreaterThan(3);
    expect(inventory.vps.length + inventory.omitted).toBe(60);
  });

  test('cuts names, roles and traits, but never an id', () => {
    const id = 'i'.repeat(64);
    const long = 'x'.repeat(500);
    const traits = Array.from({ length: 12 }, () => long);
    const [entry] = inventoryOf([vp(id, ['x'], { name: long, role: long, traits })]).vps;
    expect(entry?.id).toBe(id);
    expect([entry?.name.length, entry?.role.length]).toEqual([120, 200]);
    expect(entry?.traits?.map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 80));
  });

  test('G14: never holds a persona, a command, its variables or a path', () => {
    const secret = vp('s', ['x'], {
      persona: 'canary-1',
      executor: { kind: 'command', run: 'canary-2', env: { KEY: 'canary-3' } },
      source: { kind: 'user', path: '/home/canary-4' },
    });
    expect(JSON.stringify(inventoryOf([secret]))).not.toContain('canary');
  });

  test('is the same for the same VPs in any order', () => {
    expect(inventoryOf([...crowd].reverse(), ['x'])).toEqual(inventoryOf(crowd, ['x']));
  });
});
