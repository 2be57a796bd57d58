import type { Command, CommandOf, Context } from '../command.ts';
import { specHash } from '../identity.ts';
import { reject } from '../rejection.ts';
import { contractProblems, limitProblems, sayProblems } from '../rules/contract-rules.ts';
import { coordinatedProblems, planProblems } from '../rules/plan-rules.ts';
import type { Answer } from './handler.ts';

/** CMD-1: the item is born whole – contract, plan, base – or not at all. An agent's stays a draft. */
export function createItem(body: CommandOf<'CreateItem'>, ctx: Context, { principal }: Command): Answer {
  const { contract, plan, base, limits } = body;
  const planned =
    plan.kind === 'coordinated' ? coordinatedProblems(body.actions) : planProblems(contract, body.actions);
  const problems = [
    ['invalid_contract', contractProblems(contract, base)],
    ['invalid_field', limitProblems(limits)],
    ['invalid_plan', planned],
  ] as const;
  for (const [code, found] of problems) {
    if (found.length > 0) return reject(code, sayProblems(found), { next: 'Correct it and submit again.' });
  }
  const actions = body.actions.map((action) => ({ ...action, specHash: specHash(action.spec, ctx.hash) }));
  const created = { type: 'ItemCreated', contract, plan, base, limits, actions } as const;
  return body.start && principal.kind !== 'agent' ? [created, { type: 'ItemStarted' }] : [created];
}
