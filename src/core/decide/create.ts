import type { Command, CommandOf, Context, PlannedAction } from '../command.ts';
import { specHash } from '../identity.ts';
import { type BackgroundMessage, type Limits, MESSAGE_LIMITS } from '../model/index.ts';
import { reject } from '../rejection.ts';
import { contractProblems, limitProblems, sayProblems } from '../rules/contract-rules.ts';
import { coordinatedProblems, planProblems } from '../rules/plan-rules.ts';
import { type Problem, unless, within } from '../rules/problem.ts';
import { attachmentsRejected } from './conversation.ts';
import type { Answer } from './handler.ts';

/** What another tool tells of the conversation it came from is bounded (D37). */
function backgroundProblems(background: readonly BackgroundMessage[]): readonly Problem[] {
  const { backgroundMessages, backgroundChars, backgroundMessageChars } = MESSAGE_LIMITS;
  const longest = Math.max(0, ...background.map(({ text }) => text.length));
  const total = background.reduce((sum, { text }) => sum + text.length, 0);
  return [
    ...within(background.length, 0, backgroundMessages, 'background'),
    ...within(longest, 0, backgroundMessageChars, 'background[].text'),
    ...within(total, 0, backgroundChars, 'background'),
  ];
}

/** Under a limit of money whatever reports none needs an explicit word (D27). */
const meteredProblems = ({ costMicros, allowUnmetered }: Limits, actions: readonly PlannedAction[]) =>
  unless(
    costMicros === null || allowUnmetered || actions.every(({ spec }) => spec.executor.kind !== 'command'),
    'limits.allowUnmetered',
    'true, where commands run under a limit of money',
    'false',
  );

/** CMD-1: the item is born whole – contract, plan, base – or not at all. An agent's stays a draft. */
export function createItem(body: CommandOf<'CreateItem'>, ctx: Context, { principal }: Command): Answer {
  const { contract, plan, base, limits } = body;
  const { titlePending = false, attachments = [], origin, background = [], reuseMemory = true } = body;
  const planned =
    plan.kind === 'coordinated' ? coordinatedProblems(body.actions) : planProblems(contract, body.actions);
  const problems = [
    ['invalid_contract', contractProblems(contract, base)],
    ['invalid_field', limitProblems(limits)],
    ['invalid_plan', planned],
    ['invalid_field', backgroundProblems(background)],
    ['invalid_field', meteredProblems(limits, body.actions)],
  ] as const;
  for (const [code, found] of problems) {
    if (found.length > 0) return reject(code, sayProblems(found), { next: 'Correct it and submit again.' });
  }
  const wrong = attachmentsRejected([], attachments);
  if (wrong) return wrong;
  const actions = body.actions.map((action) => ({ ...action, specHash: specHash(action.spec, ctx.hash) }));
  const born = { titlePending, attachments, ...(origin ? { origin } : {}), background, reuseMemory };
  const created = { type: 'ItemCreated', contract, plan, base, limits, actions, ...born } as const;
  return body.start && principal.kind !== 'agent' ? [created, { type: 'ItemStarted' }] : [created];
}
