import type { HumanRequest, ItemState } from '../../core/index.ts';
import type { EntryRow, ItemSummary } from '../../store/index.ts';
import { visible } from '../../text/visible.ts';
import { headView } from '../views/head.ts';

/** All of what is to be allowed, with nothing hidden in it. */
const callOf = (subject: HumanRequest['subject']) =>
  subject.kind === 'tool_approval' && subject.whole !== undefined ? { call: visible(subject.whole) } : {};

const requestView = ({ id, kind, subject, question, details, choices, options }: HumanRequest) => ({
  ...{ id, kind, about: subject.kind, question, ...callOf(subject), details, choices },
  ...(options === undefined ? {} : { options }),
});

/** The head of an item, and what it waits for a person to answer. */
export const itemView = (state: ItemState) => ({ ...headView(state), requests: state.requests.map(requestView) });

/** What a list says of an item: enough to choose one. */
export const summaryView = ({ id, title, directory, lane, statusSentence, proven, total, updatedAt }: ItemSummary) => ({
  ...{ id, title, directory, lane, sentence: statusSentence, proven, total },
  updatedAt: new Date(updatedAt).toISOString(),
});

export const entryView = ({ seq, at, author, targetKind, targetId, text, quote, delivery, detail }: EntryRow) => ({
  ...{ seq, at: new Date(at).toISOString(), author },
  ...{ target: { kind: targetKind, id: targetId }, text, quote, delivery, detail },
});
