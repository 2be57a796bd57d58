import type { EventOf, ItemState, RequestSubject, StoredEvent } from '../../core/index.ts';
import type { EntryRow } from '../../store/talk-rows.ts';
import { REDACTED } from '../../text/redact.ts';
import { canAnswer } from './can.ts';

/** Attachments are told with the hash under which `…/contents/{hash}` has their bytes. */
export const entryView = (entry: EntryRow) => ({
  seq: entry.seq,
  id: entry.entryId,
  at: entry.at,
  author: entry.author,
  target: { kind: entry.targetKind, id: entry.targetId },
  text: entry.text,
  quote: entry.quote ? { ...entry.quote } : null,
  attachments: entry.attachments.map((attachment) => ({ ...attachment })),
  delivery: entry.delivery,
  detail: entry.detail,
});

type NewAction = EventOf<'ActionAdded'>['action'];

/** What a plan gives to its commands may be secret: the names are shown, the values are not. */
function withoutValues(action: NewAction): NewAction {
  const env = Object.fromEntries(Object.keys(action.spec.env).map((name) => [name, REDACTED]));
  return { ...action, spec: { ...action.spec, env } };
}

function shown(body: StoredEvent['body']): StoredEvent['body'] {
  if (body.type === 'ItemCreated') return { ...body, actions: body.actions.map(withoutValues) };
  return body.type === 'ActionAdded' ? { ...body, action: withoutValues(body.action) } : body;
}

/** As it is stored, but for values of environments: its own type says what else is in it. */
export const eventView = ({ seq, at, body }: StoredEvent) => ({
  seq,
  at,
  body: shown(body) as { readonly type: string; readonly [part: string]: unknown },
});

/** A call that is to be allowed always tells whether all of it is known. */
const subjectView = (subject: RequestSubject) =>
  subject.kind === 'tool_approval' ? { ...subject, whole: subject.whole ?? null } : subject;

export const requestView = (
  state: ItemState,
  { details, choices, options, subject, ...request }: ItemState['requests'][number],
) => ({
  ...request,
  subject: subjectView(subject),
  can: { answer: canAnswer(state) },
  details: [...details],
  choices: [...choices],
  ...(options === undefined ? {} : { options: [...options] }),
});
