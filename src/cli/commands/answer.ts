import type { ItemState } from '../../core/model/item.ts';
import type { Choice, HumanRequest } from '../../core/model/request.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, viewOf, withItem } from '../app.ts';
import { attach } from '../attachments.ts';
import { changed } from '../change.ts';
import { asChoice } from '../choice-words.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, collect, type Input, listOption } from '../options.ts';
import { requestLines } from '../render/requests.ts';
import { requestJson } from '../report.ts';
import { addressed } from '../requests.ts';

export interface Meant {
  readonly choice: Choice;
  readonly text: string;
}

/** `#2` is the second answer that was suggested; where none was, `#2` are words as all others. */
function suggested({ id, options = [] }: HumanRequest, word: string): string | Failure {
  if (options.length === 0 || !/^#\d+$/.test(word)) return word;
  const found = options[Number(word.slice(1)) - 1];
  if (found !== undefined) return found;
  return failure(EXIT.invalid, 'choice_not_offered', `${id} has no suggestion ${word}.`, {
    expected: `#1..#${options.length}, or your own words`,
    found: word,
  });
}

/** One word that is a choice is that choice; where words are asked for, all else is words (D16). */
export function meantBy(request: HumanRequest, words: readonly string[]): Meant | Failure {
  const [first = '', ...rest] = words;
  const choice = request.choices.find((offered) => offered === asChoice(first) && offered !== 'text');
  if (choice !== undefined && words.length === 1) return { choice, text: '' };
  if (request.choices.includes('text')) {
    const text = words.length === 1 ? suggested(request, first) : words.join(' ');
    return isFailure(text) ? text : { choice: 'text', text };
  }
  if (choice !== undefined) return { choice, text: rest.join(' ') };
  return failure(EXIT.invalid, 'choice_not_offered', `"${words.join(' ')}" does not answer ${request.id}.`, {
    expected: request.choices.join(', '),
    found: first,
  });
}

/** What could be answered, where nothing was said. */
function offer(app: App, state: ItemState, requests: readonly HumanRequest[]): Outcome {
  const view = viewOf(app.shell);
  const lines = requests.flatMap((request) => requestLines(state, request, view));
  const text = lines.length === 0 ? `Item ${state.id} asks nothing.` : lines.join('\n');
  return answer(text, { id: state.id, requests: requests.map(requestJson) });
}

/** Gives a choice, with words and files behind it, and says how the item goes on. */
export async function give(app: App, state: ItemState, request: HumanRequest, meant: Meant, files: readonly string[]) {
  const attachments = await attach(app, files);
  if (isFailure(attachments)) return attachments;
  const body = { type: 'AnswerRequest', requestId: request.id, ...meant } as const;
  const result = await command(app, state.id, attachments.length === 0 ? body : { ...body, attachments });
  return changed(app, result, `${request.id} is answered${meant.choice === 'text' ? '' : `: ${meant.choice}`}.`);
}

async function answerRequest(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const typed = input.args.slice(1);
  if (typed.length === 0) return offer(app, state, state.requests);
  const found = addressed(state, typed);
  if (isFailure(found)) return found;
  const { request, words } = found;
  if (words.length === 0) return offer(app, state, [request]);
  const meant = meantBy(request, words);
  return isFailure(meant) ? meant : give(app, state, request, meant, listOption(input, 'attach'));
}

export const answerCommand: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument(
        '[answer...]',
        'request id such as r1 (not needed for the only one), then one of the offered choices with words behind it if you like, or just words, or #1 for the first suggestion; nothing shows what could be answered',
      )
      .option('--attach <file>', 'image, PDF or text; may be repeated', collect),
  examples: [
    'workcenter answer k3v9',
    'workcenter answer k3v9 r1 retry "the fixture is in test/data"',
    'workcenter answer k3v9 "the main branch"',
  ],
  userOnly: true,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => answerRequest(app, state, input)),
};
