import type { ItemState, StoredEvent } from '../../core/index.ts';
import type { EntryRow } from '../../store/talk-rows.ts';
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

/** As it is stored: its own type says what else is in it. */
export const eventView = ({ seq, at, body }: StoredEvent) => ({
  seq,
  at,
  body: body as { readonly type: string; readonly [part: string]: unknown },
});

export const requestView = (
  state: ItemState,
  { details, choices, options, ...request }: ItemState['requests'][number],
) => ({
  ...request,
  can: { answer: canAnswer(state) },
  details: [...details],
  choices: [...choices],
  ...(options === undefined ? {} : { options: [...options] }),
});
