import type { ItemState } from '../../core/model/item.ts';
import { answer, failure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument } from '../options.ts';
import { itemReport } from '../report.ts';

/** Why there is nothing to land, and what would help. */
function nothingToLand(state: ItemState): Outcome {
  const { landing, contract, lifecycle, published } = state;
  if (landing.kind === 'landed') {
    return answer(`Landed already: ${landing.branch} holds ${landing.commit}.`, itemReport(state, []));
  }
  if (lifecycle === 'done' && published) {
    return failure(EXIT.refused, 'not_deliverable', `${state.id} is done and was to be delivered as a branch.`, {
      expected: 'delivery: merge',
      found: `delivery: ${contract.delivery.target}`,
      next: `git -C ${contract.directory} merge ${published.ref}`,
    });
  }
  return failure(EXIT.refused, 'not_deliverable', `Nothing of ${state.id} is waiting to be landed.`, {
    expected: 'an open request about delivery',
    found: state.requests.map((request) => request.subject.kind).join(', ') || 'no open request',
    next: `workcenter show ${state.id}`,
  });
}

async function landItem(app: App, state: ItemState): Promise<Outcome> {
  const request = state.requests.find(
    ({ subject, choices }) => subject.kind === 'delivery_blocked' && choices.includes('retry'),
  );
  if (!request) return nothingToLand(state);
  const body = { type: 'AnswerRequest', requestId: request.id, choice: 'retry', text: '' } as const;
  return changed(app, await command(app, state.id, body), `Delivery of ${state.id} is tried again.`);
}

export const land: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter land k3v9'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), landItem),
};
