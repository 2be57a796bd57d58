import type { Command, Context } from '../command.ts';
import { specHash } from '../identity.ts';
import { reject } from '../rejection.ts';
import { contractProblems, limitProblems, sayProblems } from '../rules/contract-rules.ts';
import { coordinatedProblems, planProblems } from '../rules/plan-rules.ts';
import type { Answer, BodyOf } from './handler.ts';

/** CMD-1: the item is born whole – contract, plan, base – or not at all. */
export function createItem(body: BodyOf<'CreateItem'>, ctx: Context, command: Command): Answer {
  const wrong = contractProblems(body.contract);
  if (wrong.length > 0) return reject('invalid_contract', sayProblems(wrong), { next: 'Correct it and submit again.' });
  const limited = limitProblems(body.limits);
  if (limited.length > 0)
    return reject('invalid_field', sayProblems(limited), { next: 'Correct it and submit again.' });
  const coordinated = body.plan.kind === 'coordinated';
  const unsound = coordinated ? coordinatedProblems(body.actions) : planProblems(body.contract, body.actions);
  if (unsound.length > 0) return reject('invalid_plan', sayProblems(unsound), { next: 'Correct it and submit again.' });
  if (body.contract.workspace === 'isolated' && body.base.kind !== 'git') {
    return reject('invalid_contract', 'Isolated workspaces need a git repository.', {
      expected: 'a git base, or workspace in-place',
      found: body.base.kind,
    });
  }
  const actions = body.actions.map((action) => ({ ...action, specHash: specHash(action.spec, ctx.hash) }));
  const { contract, plan, base, limits } = body;
  const created = { type: 'ItemCreated', contract, plan, base, limits, actions } as const;
  return body.start && command.principal.kind !== 'agent' ? [created, { type: 'ItemStarted' }] : [created];
}
