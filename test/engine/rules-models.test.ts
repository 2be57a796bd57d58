import { describe, expect, test } from 'vitest';
import { modelFor } from '../../src/engine/agent/model-for.ts';
import { coordinatorModel } from '../../src/engine/configuration.ts';
import { resolveModel } from '../../src/model/index.ts';
import type { Vp } from '../../src/vp/index.ts';

const vp = (more: Partial<Vp> = {}): Vp => ({
  id: 'ada',
  name: 'Ada',
  role: 'Works',
  persona: 'You work.',
  capabilities: ['implement'],
  executor: { kind: 'agent' },
  source: { kind: 'built-in' },
  hash: '0'.repeat(64),
  ...more,
});

describe('A8: which model an Action and a turn get', () => {
  test.each([
    ['research', { policy: { tag: 'ultimate' }, effort: 'high' }],
    ['review', { policy: { tag: 'ultimate' }, effort: 'high' }],
    ['implement', { policy: { tag: 'balanced' } }],
    ['write', { policy: { tag: 'fast' } }],
    ['constructor', { policy: { tag: 'balanced' } }],
  ])('for %s the tag and effort of its kind', (type, expected) => {
    expect(modelFor(undefined, vp(), type, {})).toEqual(expected);
  });

  test('the Action goes before the VP, the VP before the settings, the settings before the kind', () => {
    const settings = { models: { byType: { review: 'openai/by-type' } } };
    const own = vp({ model: { ref: 'anthropic/of-the-vp' }, effort: 'low' });
    expect(modelFor('fast', own, 'review', settings)).toEqual({ policy: { tag: 'fast' }, effort: 'low' });
    expect(modelFor(undefined, own, 'review', settings).policy).toEqual({ ref: 'anthropic/of-the-vp' });
    expect(modelFor(undefined, vp(), 'review', settings).policy).toEqual({ ref: 'openai/by-type' });
  });

  test('the Coordinator thinks with the best one unless settings say otherwise', () => {
    expect(coordinatorModel({})).toEqual({ tag: 'ultimate' });
    expect(coordinatorModel({ models: { coordinator: 'openai/cheap' } })).toEqual({ ref: 'openai/cheap' });
  });

  test('a tag without a model, and one whose model has no key, fail: nothing else is taken in their place', () => {
    const mapped = { tags: { ultimate: 'openai/gpt-5' } };
    expect(resolveModel({ tag: 'ultimate' }, {}, {})).toMatchObject({ kind: 'failed' });
    expect(resolveModel({ tag: 'ultimate' }, mapped, { ANTHROPIC_API_KEY: 'x' })).toMatchObject({ kind: 'failed' });
  });
});
