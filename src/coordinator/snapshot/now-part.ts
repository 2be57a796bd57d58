import { type Fact, type ItemState, isVerify, type Message, type OpenTurn, type Quote } from '../../core/index.ts';
import type { SnapshotInput } from './input.ts';
import { SNAPSHOT_LIMITS as LIMITS } from './limits.ts';
import type { AnswerPart, MessagePart, NowPart, QuotePart } from './picture.ts';
import { foreign, own } from './words.ts';

/** What people said that this turn is to hear: what came after it was opened is for the next (D21). */
export const factsOf = (state: ItemState, turn: OpenTurn): readonly Fact[] =>
  state.inbox.filter(({ seq }) => seq <= turn.openedSeq);

/** Messages that this turn hears, oldest first: their attachments go with its request. */
export const messagesOf = (state: ItemState, turn: OpenTurn): readonly Message[] =>
  factsOf(state, turn).flatMap((fact) => (fact.kind === 'message' ? [fact.message] : []));

export function nowPart({ state, turn, redaction }: SnapshotInput): NowPart {
  const facts = factsOf(state, turn);
  return {
    origin: turn.origin,
    ended: endedSince(state).slice(-LIMITS.ended),
    messages: facts.flatMap((fact) => (fact.kind === 'message' ? [messagePart(fact, redaction)] : [])),
    answers: facts.flatMap((fact) => (fact.kind === 'answer' ? [answerPart(fact)] : [])),
  };
}

/** `a1 completed`: whose Runs have ended since the last decision. */
function endedSince({ actions, coordinator }: ItemState): readonly string[] {
  const isNew = (seq = 0) => seq > coordinator.decidedThroughSeq;
  return actions.flatMap((action) => {
    const { id, status, lastRun } = action;
    return status !== 'superseded' && isNew(lastRun?.endedSeq)
      ? [`${id} ${isVerify(action) ? 'verified: ' : ''}${status}`]
      : [];
  });
}

function messagePart(
  { message, about }: Extract<Fact, { kind: 'message' }>,
  redaction: SnapshotInput['redaction'],
): MessagePart {
  const { id, text, quote, attachments } = message;
  const files = attachments.map(({ name, mediaType }) => own(`${name} (${mediaType})`, LIMITS.lineBytes));
  return {
    id,
    text: own(text, LIMITS.messageBytes),
    ...(about === undefined ? {} : { about }),
    ...(quote ? { quote: quotePart(quote, redaction) } : {}),
    ...(files.length > 0 ? { attachments: files } : {}),
  };
}

export const quotePart = ({ from, text }: Quote, redaction: SnapshotInput['redaction']): QuotePart => ({
  from: own(from, LIMITS.lineBytes),
  untrusted: foreign(text, LIMITS.quoteBytes, redaction),
});

const answerPart = ({ requestId, question, choice, text }: Extract<Fact, { kind: 'answer' }>): AnswerPart => ({
  requestId,
  question: own(question, LIMITS.questionBytes),
  choice,
  text: own(text, LIMITS.messageBytes),
});
