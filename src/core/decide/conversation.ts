import type { CommandOf } from '../command.ts';
import { isVerify } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { type ActionState, type Attachment, type ItemState, MESSAGE_LIMITS, type Message } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { type Answer, fencedAction, type Handlers, isAction, mustBeOpen } from './handler.ts';
import { resetAction } from './reset.ts';

const invalid = (message: string, expected: string, found: string, next?: string): Rejection =>
  reject('invalid_field', message, { expected, found, ...(next === undefined ? {} : { next }) });

/** Bytes of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

const PLAIN_NAME = /^[^/\\\p{Cc}\p{Cf}]*[^/\\\p{Cc}\p{Cf}. ]$/u;
/** Names that mean a device on some systems, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** What may be attached to one item, in all (chapter 3 §16.6). */
export function attachmentsRejected(known: readonly Attachment[], added: readonly Attachment[]): Rejection | undefined {
  const { attachments, attachmentBytes, attachmentsTotalBytes, attachmentNameChars } = MESSAGE_LIMITS;
  const all = [...known, ...added];
  const names = new Set(all.map(({ name }) => name));
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const large = added.find(({ bytes }) => bytes > attachmentBytes);
  const odd = added.find(
    ({ name }) => !PLAIN_NAME.test(name) || DEVICE.test(name) || name.length > attachmentNameChars,
  );
  if (all.length > attachments) return invalid('Too many attachments.', `${attachments} in all`, `${all.length}`);
  if (large) return invalid(`${large.name} is too large.`, `at most ${attachmentBytes} bytes`, `${large.bytes}`);
  if (total > attachmentsTotalBytes)
    return invalid('The attachments are too large.', `${attachmentsTotalBytes} bytes in all`, `${total}`);
  if (odd) return invalid('An attachment needs a plain file name.', 'a name without a path', odd.name);
  return names.size === all.length
    ? undefined
    : invalid('Two attachments have one name.', 'different names', 'the same');
}

function messageRejected(state: ItemState, { text, quote, attachments }: Omit<Message, 'id'>): Rejection | undefined {
  const { textChars, quoteBytes } = MESSAGE_LIMITS;
  if (text.trim() === '' && attachments.length === 0)
    return invalid('A message needs words or a file.', 'text', 'none');
  if (text.length > textChars) {
    const next = 'Attach it as a file (--attach FILE).';
    return invalid('The message is too long.', `at most ${textChars} characters`, `${text.length}`, next);
  }
  if (quote && utf8Bytes(quote.text) > quoteBytes)
    return invalid('The quote is too long.', `at most ${quoteBytes} bytes`, `${utf8Bytes(quote.text)}`);
  return attachmentsRejected(state.attachments, attachments);
}

/** Why nothing can be said to this Action now; undefined when it can hear. */
function deafness(state: ItemState, action: ActionState): Rejection | undefined {
  const { id, status, spec } = action;
  const coordinated = state.plan.kind === 'coordinated';
  if (isVerify(action)) return reject('cannot_receive', 'A verification takes no messages.');
  if (status === 'running' && spec.executor.kind !== 'agent') {
    const next = `Wait for its end, or workcenter redirect ${state.id} ${id} --note "…".`;
    return reject('cannot_receive', `Action ${id} is a running command: it takes no messages.`, { next });
  }
  if (status === 'completed' && !coordinated) {
    const next = `workcenter retry ${state.id} ${id} --note "…"`;
    return reject('wrong_state', `Action ${id} is completed.`, { found: status, next });
  }
  if (status !== 'closed' && status !== 'superseded' && status !== 'cancelled') return undefined;
  return reject('wrong_state', `Action ${id} is ${status}.`, { expected: 'work that is not over', found: status });
}

/** To an Action (D15): running or ready hears it as it goes on, waiting or failed starts again with it. */
function toAction(state: ItemState, body: CommandOf<'PostMessage'>, actionId: string, posted: EventBody): Answer {
  const known = state.actions.find(({ id }) => id === actionId);
  const action = fencedAction(state, actionId, body.generation ?? known?.generation ?? 0);
  if (!isAction(action)) return action;
  const deaf = deafness(state, action);
  if (deaf) return deaf;
  const restarts = action.status === 'waiting' || action.status === 'failed';
  return restarts ? [posted, resetAction(state, action, 'message')] : [posted];
}

/** Words of a person; what they say is never an approval and changes no contract (D15, D16). */
function post(state: ItemState, body: CommandOf<'PostMessage'>): Answer {
  const { id, plan } = state;
  const { target, text, quote, attachments } = body;
  const wrong = mustBeOpen(state) ?? messageRejected(state, body);
  if (wrong) return wrong;
  const message: Message = { id: `m${state.messageCount + 1}`, text, attachments, ...(quote ? { quote } : {}) };
  const posted: EventBody = { type: 'MessagePosted', message, target };
  if (target.kind === 'action') return toAction(state, body, target.actionId, posted);
  if (plan.kind === 'coordinated') return [posted];
  const next = `Address an Action (--to ACTION), or workcenter redirect ${id}.`;
  return reject('no_coordinator', `Item ${id} follows a plan: it has no Coordinator.`, { next });
}

export const CONVERSATION_HANDLERS: Handlers<'PostMessage'> = { PostMessage: post };
