import { describe, expect, test } from 'vitest';
import { isRejection } from '../../src/core/index.ts';
import {
  action,
  check,
  checked,
  completed,
  createBody,
  criterion,
  GIT_BASE,
  type Given,
  PLAIN_BASE,
  spec,
} from './builders.ts';
import { Scenario, scenario } from './scenario.ts';

const refused = (given: Given, code: 'invalid_contract' | 'invalid_plan' | 'invalid_field') => {
  const made = new Scenario();
  const answer = made.refuses(createBody(given), code);
  expect(made.state).toBeUndefined();
  return answer.message;
};

describe('CMD-1 an item is born whole or not at all', () => {
  test('as a draft when it is not started, open when it is', () => {
    expect(scenario({ start: false }).item).toMatchObject({ lifecycle: 'draft', version: 1 });
    expect(scenario().item).toMatchObject({
      lifecycle: 'open',
      contractVersion: 1,
      planVersion: 1,
      startedAt: 1_000_000,
    });
  });

  test('rule 14, chapter 2 C4: everything that is wrong is said at once', () => {
    const message = refused(
      { goal: '', criteria: [criterion('C 1'), criterion('c2', { text: ' ' })] },
      'invalid_contract',
    );
    expect(message).toContain('goal:');
    expect(message).toContain('criteria[0].id:');
    expect(message).toContain('criteria[1].text:');
  });

  const contracts: readonly [string, Given][] = [
    ['criteria', { criteria: [] }],
    ['criteria', { criteria: Array.from({ length: 25 }, (_, index) => checked(`c${index}`)) }],
    ['criteria[1].id', { criteria: [checked('c1'), checked('c1')] }],
    ['criteria[0].text', { criteria: [checked('c1', { text: 'x'.repeat(2_001) })] }],
    ['criteria[0].minProof', { criteria: [criterion('c1', { minProof: 'machine' })] }],
    ['criteria[0].check.run', { criteria: [checked('c1', { check: check(' ') })] }],
    ['criteria[0].check.timeoutSec', { criteria: [checked('c1', { check: check('x', { timeoutSec: 3_601 }) })] }],
    ['criteria[0].check.expectExit', { criteria: [checked('c1', { check: check('x', { expectExit: 256 }) })] }],
    ['criteria[0].check.cwd', { criteria: [checked('c1', { check: check('x', { cwd: '../out' }) })] }],
    ['criteria[0].check.expectOutput', { criteria: [checked('c1', { check: check('x', { expectOutput: '(' }) })] }],
    ['criteria[0].check.protect[0]', { criteria: [checked('c1', { check: check('x', { protect: ['/etc'] }) })] }],
    ['title', { title: 'x'.repeat(201) }],
    ['setup.timeoutSec', { setup: { run: 'x', inputs: [], network: 'none', timeoutSec: 0 } }],
    ['delivery.branch', { delivery: { target: 'merge' } }],
    ['delivery.target', { delivery: { target: 'merge', branch: 'main' }, workspace: 'in-place' }],
    ['delivery.branch', { delivery: { target: 'pull_request' } }],
    ['delivery.target', { delivery: { target: 'pull_request', branch: 'main' }, workspace: 'in-place' }],
  ];
  test.each(contracts)('D6, D23: the contract is refused at %s', (path, given) => {
    expect(refused(given, 'invalid_contract')).toContain(`${path}: expected`);
  });

  test('isolated workspaces need a git repository', () => {
    refused({ base: PLAIN_BASE }, 'invalid_contract');
    expect(scenario({ base: GIT_BASE, workspace: 'in-place' }).item.base.kind).toBe('git');
  });

  const many = Array.from({ length: 65 }, (_, index) => action(`a${index}`, { for: ['c1'] }));
  const plans: readonly [string, Given][] = [
    ['actions', { actions: [] }],
    ['actions', { actions: many }],
    ['actions[1].id', { actions: [action('a'), action('a')] }],
    ['actions[0].id', { actions: [action('A b')] }],
    ['actions[0].id', { actions: [action('verify-1')] }],
    ['actions[0].brief', { actions: [action('a', { brief: { objective: '' } })] }],
    ['actions[0].maxAttempts', { actions: [action('a', { maxAttempts: 6 })] }],
    ['actions[0].timeoutSec', { actions: [action('a', { timeoutSec: 0.5 })] }],
    ['actions[0].silenceSec', { actions: [action('a', { silenceSec: -1 })] }],
    ['actions[0].run', { actions: [action('a', { executor: { kind: 'command', run: '', identity: 'x' } })] }],
    ['actions[0].run', { actions: [action('a', { executor: { kind: 'verify', writeSeq: 1 } })] }],
    ['actions[0].dependsOn', { actions: [action('a', { dependsOn: ['zz'] })] }],
    ['actions[0].for', { actions: [action('a', { for: ['zz'] })] }],
    ['actions', { actions: [action('a', { dependsOn: ['b'] }), action('b', { dependsOn: ['a'] })] }],
    ['actions', { actions: [action('a', { dependsOn: ['a'] })] }],
    [
      'actions[1].dependsOn',
      { actions: [action('a', { workspace: 'read' }), action('b', { workspace: 'integrate', dependsOn: ['a'] })] },
    ],
    ['actions', { plan: { kind: 'coordinated' } }],
  ];
  test.each(plans)('D3: the plan is refused at %s', (path, given) => {
    expect(refused(given, 'invalid_plan')).toContain(`${path}: expected`);
  });

  test('D22: a criterion that nothing could prove is refused: nobody for it, a later writer, the writer itself', () => {
    const c1 = [criterion('c1')];
    refused({ criteria: c1, actions: [action('a')] }, 'invalid_plan');
    refused(
      { criteria: c1, actions: [action('a', { for: ['c1'] }), action('b', { dependsOn: ['a'] })] },
      'invalid_plan',
    );
    refused({ criteria: [criterion('c1', { minProof: 'independent' })] }, 'invalid_plan');
    scenario({
      criteria: c1,
      actions: [action('a', { for: ['c1'] }), action('b', { dependsOn: ['a'], workspace: 'read' })],
    });
  });

  test.each([{ attempts: 0 }, { attempts: 1.5 }, { wallClockSec: 0 }, { attemptsExtension: -1 }])(
    'limits under which nothing could run are refused: %o',
    (limits) => {
      refused({ limits }, 'invalid_field');
    },
  );

  test('an item that does not exist is told so', () => {
    const answer = new Scenario().attempt({ type: 'StartItem' });
    expect(isRejection(answer) && answer.code).toBe('item_not_found');
  });

  test('a whole life: created, run, merged, verified, published, done', () => {
    const made = scenario({ actions: [action('a', { ...spec('a'), for: ['c1'] })] });
    made.completes('a', completed());
    made.verifies({ c1: 'passed' }, ['red_to_green']);
    made.publish();
    expect(made.events.map((event) => event.body.type)).toEqual([
      'ItemCreated',
      'ItemStarted',
      'RunClaimed',
      'RunDispatched',
      'RunSettled',
      'ResultMerged',
      'ActionAdded',
      'RunClaimed',
      'RunDispatched',
      'RunSettled',
      'ResultPublished',
      'ItemCompleted',
    ]);
  });
});
