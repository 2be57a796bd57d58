import { expect, it } from 'vitest';
import { demoPlan } from '../../src/cli/demo/demo-plan.ts';
import { parsePlan } from '../../src/plan/read/parse.ts';

it('is a plan that a person could have written, also when its path holds odd characters', () => {
  const agents = '/tmp/wörk "demo": #1/agents';
  const parsed = parsePlan(demoPlan(agents), 'plan.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { actions, criteria, sandbox } = parsed.plan.document;
  expect(sandbox?.readable).toBe(agents);
  expect(actions.map((action) => [action.id, action.for])).toEqual([
    ['rounding', 'c1'],
    ['quotes', 'c2'],
  ]);
  expect(actions.flatMap((action) => action.dependsOn ?? [])).toEqual([]);
  expect(criteria).toHaveLength(3);
  expect(actions[0]?.run).toEqual(['node', `${agents}/canned-agent.mjs`, 'rounding']);
});
