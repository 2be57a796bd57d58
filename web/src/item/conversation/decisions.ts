import type { Event, Request } from '../../../../src/client/index.ts';

/** What was asked, as far as it is told afterwards. */
export type AskedThing = Pick<Request, 'id' | 'kind' | 'question' | 'subject'>;

/** How a request ended: with an answer, or without one because the work had moved on. */
export interface Decision {
  readonly seq: number;
  readonly at: number;
  readonly request: AskedThing;
  /** Null: nobody answered, it was no longer asked. */
  readonly choice: string | null;
  readonly text: string;
}

export const DECISION_TYPES = ['RequestOpened', 'RequestAnswered', 'RequestWithdrawn'];

const isAsked = (value: unknown): value is AskedThing =>
  typeof value === 'object' && value !== null && 'id' in value && 'question' in value && 'subject' in value;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Requests that are over, with what was asked, from the events about them. */
export function decisionsOf(events: readonly Event[]): readonly Decision[] {
  const asked = new Map<string, AskedThing>();
  return events.flatMap(({ seq, at, body }): readonly Decision[] => {
    if (body.type === 'RequestOpened' && isAsked(body.request)) asked.set(body.request.id, body.request);
    const request = asked.get(textOf(body.requestId));
    if (!request) return [];
    const choice = body.type === 'RequestAnswered' ? textOf(body.choice) : null;
    return [{ seq, at, request, choice, text: textOf(body.text) }];
  });
}
