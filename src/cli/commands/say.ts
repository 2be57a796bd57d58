import { MESSAGE_LIMITS, type MessageTarget, type Quote } from '../../core/model/conversation.ts';
import type { ItemState } from '../../core/model/item.ts';
import { actionNamed } from '../actions.ts';
import { type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { attach } from '../attachments.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { argument, collect, type Input, listOption, textOption } from '../options.ts';
import { fileText, typedText, withinChars } from '../text-input.ts';

/** The Coordinator, or an Action at the generation that it has now (D5). */
interface Addressee {
  readonly target: MessageTarget;
  readonly generation?: number;
}

function addresseeOf(state: ItemState, name: string | undefined): Addressee | Failure {
  if (name === undefined || name === 'coordinator') return { target: { kind: 'coordinator' } };
  const action = actionNamed(state, name);
  if (isFailure(action)) return action;
  return { target: { kind: 'action', actionId: action.id }, generation: action.generation };
}

async function messageText(app: App, input: Input): Promise<string | Failure> {
  const text = await typedText(app.shell, argument(input, 1));
  if (isFailure(text) || (text.trim() === '' && listOption(input, 'attach').length > 0)) return text;
  return withinChars('The message', text, MESSAGE_LIMITS.textChars);
}

async function quoteOf(app: App, input: Input): Promise<Quote | undefined | Failure> {
  const given = textOption(input, 'quote');
  if (given === undefined) return undefined;
  const text = await fileText(app.shell, given);
  if (isFailure(text)) return text;
  return { from: given.startsWith('@') ? given.slice(1) : 'quoted', text };
}

/** Who hears it, and when. */
function saidTo({ target }: Addressee, state: ItemState): string {
  const id = `m${state.messageCount + 1}`;
  if (target.kind === 'coordinator') return `${id} is for the Coordinator; it hears it in its next turn.`;
  const status = state.actions.find((action) => action.id === target.actionId)?.status;
  const when: Readonly<Record<string, string>> = {
    running: 'it joins its next model request',
    ready: 'it hears it when it begins',
    waiting: 'it starts again with it',
    failed: 'it starts again with it',
  };
  return `${id} is for ${target.actionId}; ${when[status ?? ''] ?? 'the Coordinator decides what follows from it'}.`;
}

async function sayTo(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const addressee = addresseeOf(state, textOption(input, 'to'));
  if (isFailure(addressee)) return addressee;
  const text = await messageText(app, input);
  if (isFailure(text)) return text;
  const quote = await quoteOf(app, input);
  if (isFailure(quote)) return quote;
  const attachments = await attach(app, listOption(input, 'attach'));
  if (isFailure(attachments)) return attachments;
  const body = { type: 'PostMessage', ...addressee, text, attachments, ...(quote ? { quote } : {}) } as const;
  const result = await command(app, state.id, body, textOption(input, 'clientId'));
  const isNew = !isFailure(result) && result.messageCount > state.messageCount;
  return changed(app, result, isNew ? saidTo(addressee, state) : 'That was said before; nothing was added.');
}

export const say: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<text>', 'what you want to say; - reads standard input')
      .option('--to <action>', 'an Action; the Coordinator by default')
      .option('--quote <text>', 'somebody else’s words that this is about; @FILE reads a file')
      .option('--attach <file>', 'image, PDF or text; may be repeated', collect)
      .option('--client-id <id>', 'the same message again under this id is said once'),
  examples: [
    'workcenter say k3v9 "The totals must also hold for credit notes"',
    'workcenter say k3v9 "Use the existing queue" --to fix',
    'workcenter say k3v9 - --quote @review.txt < remarks.md',
  ],
  userOnly: true,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => sayTo(app, state, input)),
};
