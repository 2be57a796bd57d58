import type { ItemState } from '../../core/model/item.ts';
import type { Choice, HumanRequest } from '../../core/model/request.ts';
import { type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, type Input } from '../options.ts';

function requestNamed(state: ItemState, id: string): HumanRequest | Failure {
  const request = state.requests.find((open) => open.id === id);
  if (request) return request;
  const open = state.requests.map((known) => known.id).join(', ') || 'none';
  return failure(EXIT.notFound, 'request_not_found', `Item ${state.id} has no open request ${id}.`, {
    expected: `one of: ${open}`,
    found: id,
    next: 'It may have been answered already.',
  });
}

interface Meant {
  readonly choice: Choice;
  readonly text: string;
}

/** One word that is a choice is that choice; where words are asked for, all else is words (D16). */
export function meantBy(request: HumanRequest, words: readonly string[]): Meant | Failure {
  const [first = '', ...rest] = words;
  const choice = request.choices.find((offered) => offered === first && offered !== 'text');
  if (choice !== undefined && words.length === 1) return { choice, text: '' };
  if (request.choices.includes('text')) return { choice: 'text', text: words.join(' ') };
  if (choice !== undefined) return { choice, text: rest.join(' ') };
  return failure(EXIT.invalid, 'choice_not_offered', `"${words.join(' ')}" does not answer ${request.id}.`, {
    expected: request.choices.join(', '),
    found: first,
  });
}

async function answerRequest(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const request = requestNamed(state, argument(input, 1));
  if (isFailure(request)) return request;
  const meant = meantBy(request, input.args.slice(2));
  if (isFailure(meant)) return meant;
  const result = await command(app, state.id, { type: 'AnswerRequest', requestId: request.id, ...meant });
  return changed(app, result, `${request.id} is answered${meant.choice === 'text' ? '' : `: ${meant.choice}`}.`);
}

export const answerCommand: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<request>', 'request id, such as r1')
      .argument('<answer...>', 'one of the offered choices, with words behind it if you like; or just words'),
  examples: [
    'workcenter answer k3v9 r1 retry',
    'workcenter answer k3v9 r1 retry "the fixture is in test/data"',
    'workcenter answer k3v9 r2 "the main branch"',
  ],
  userOnly: true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => answerRequest(app, state, input)),
};
