import type { Command } from 'commander';
import type { ItemState } from '../../core/model/item.ts';
import type { Choice, HumanRequest } from '../../core/model/request.ts';
import { type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, flagOption, type Input, textOption } from '../options.ts';
import { addressed } from '../requests.ts';
import type { Shell } from '../shell.ts';
import { give, type Meant } from './answer.ts';

/** What takes a yes or a no: an approval of a tool call, a proposed contract (D16, D20). */
export const takesVerdict = ({ choices }: Pick<HumanRequest, 'choices'>): boolean =>
  choices.includes('approve') || choices.includes('confirm');

const yesTo = ({ choices }: HumanRequest, pattern: boolean): Choice => {
  if (choices.includes('confirm')) return 'confirm';
  return pattern ? 'approve_pattern' : 'approve';
};

const unfit = ({ id, subject }: HumanRequest) =>
  failure(EXIT.invalid, 'choice_not_offered', `${id} is no approval and no proposal.`, {
    expected: 'tool_approval or contract_proposal',
    found: subject.kind,
    next: 'workcenter answer',
  });

/** Why `--pattern` cannot be taken: it is offered from the second asking on, where a pattern can be made at all (D16). */
export function noPattern(state: ItemState, { id, subject, choices }: HumanRequest): Failure | undefined {
  if (subject.kind !== 'tool_approval' || choices.includes('approve_pattern')) return undefined;
  const isFirst = subject.pattern !== '';
  const message = isFirst
    ? `A pattern may be allowed from the second asking of an Action on, and ${id} is the first of ${subject.actionId}.`
    : `No pattern can be made of the call that ${id} asks about.`;
  return failure(EXIT.invalid, 'choice_not_offered', message, {
    expected: choices.join(', '),
    found: '--pattern',
    next: `Allow this one call: workcenter approve ${state.id} ${id}`,
  });
}

/** Gives a verdict on the request that was named, or the only one that takes any. */
const giveVerdict = (
  shell: Shell,
  input: Input,
  verdictOn: (state: ItemState, request: HumanRequest) => Meant | Failure,
): Promise<Outcome> =>
  withItem(shell, argument(input, 0), async (app, state) => {
    const found = addressed(state, input.args.slice(1, 2), takesVerdict);
    if (isFailure(found)) return found;
    if (!takesVerdict(found.request)) return unfit(found.request);
    const verdict = verdictOn(state, found.request);
    return isFailure(verdict) ? verdict : give(app, state, found.request, verdict, []);
  });

const takeRequest = (parser: Command): Command =>
  parser
    .argument('<id>', 'item id, or the beginning of one')
    .argument('[request]', 'request id such as r1; not needed for the only one');

export const approve: CommandModule = {
  define: (parser) =>
    void takeRequest(parser).option(
      '--pattern',
      'allow every call like it for this Action; offered from the second time on',
    ),
  examples: ['workcenter approve k3v9', 'workcenter approve k3v9 r2 --pattern'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    giveVerdict(shell, input, (state, request) => {
      const pattern = flagOption(input, 'pattern');
      const refused = pattern ? noPattern(state, request) : undefined;
      return refused ?? { choice: yesTo(request, pattern), text: '' };
    }),
};

export const reject: CommandModule = {
  define: (parser) => void takeRequest(parser).option('--note <words>', 'why; whoever asked is told'),
  examples: ['workcenter reject k3v9', 'workcenter reject k3v9 r2 --note "never push to main"'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    giveVerdict(shell, input, (_state, { choices }) => ({
      choice: choices.includes('confirm') ? 'reject' : 'deny',
      text: textOption(input, 'note') ?? '',
    })),
};
