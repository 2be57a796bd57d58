import type { CommandBody, Rejection } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';

const WORDS_CHARS = 200;

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= WORDS_CHARS ? line : `${line.slice(0, WORDS_CHARS - 1)}…`;
};

/** Why a request is not open any more, if it ever was. */
async function endOf(store: Store, itemId: string, requestId: string): Promise<string | undefined> {
  const ended = await store.events(itemId, { types: ['RequestAnswered', 'RequestWithdrawn'] });
  const body = ended.map((event) => event.body).find((end) => 'requestId' in end && end.requestId === requestId);
  if (body?.type === 'RequestWithdrawn') return `withdrawn: ${shortened(body.reason)}`;
  if (body?.type !== 'RequestAnswered') return undefined;
  const words = shortened(body.text);
  return `answered: ${[...(body.choice === 'text' ? [] : [body.choice]), ...(words === '' ? [] : [`“${words}”`])].join(' ')}`;
}

/** Whoever answered second is told which answer holds, not only that theirs does not (D16). */
export async function withWinner(
  store: Store,
  itemId: string,
  body: CommandBody,
  refused: Rejection,
): Promise<Rejection> {
  if (body.type !== 'AnswerRequest' || refused.code !== 'request_not_found') return refused;
  const found = await endOf(store, itemId, body.requestId);
  if (found === undefined) return refused;
  const message = `${body.requestId} is not open any more; this answer changed nothing.`;
  const next = 'The other one holds. Write a message where it should be something else.';
  return { ...refused, message, expected: 'an open request', found, next };
}
