import type { LiveEnd, LiveText } from '../../../../src/client/index.ts';

/** What is being written now, by one source: a model request, or a Run. */
export interface Writing {
  readonly key: string;
  readonly kind: LiveText['kind'];
  readonly runId?: string;
  readonly turnId?: string;
  readonly actionId?: string;
  readonly text: string;
  /** UTF-16 units that were written so far, shown or not. */
  readonly end: number;
  /** Its beginning was not seen, or has been dropped. */
  readonly isCut: boolean;
}

/** All that is being written for one item, by source, the oldest first. */
export type Writings = ReadonlyMap<string, Writing>;

/** Of one text; more is cut from its beginning. */
export const MOST_CHARS = 64 * 1024;
/** Of one item; the oldest goes. */
export const MOST_TEXTS = 32;

export const NOTHING_WRITTEN: Writings = new Map();

export const keyOf = ({ callId, runId, turnId }: LiveEnd): string => callId ?? runId ?? turnId ?? '';

const HOLE = '\n[…]\n';

/** What a piece adds to what is there: nothing that is there already, and a mark where some was missed. */
function added({ end }: Pick<Writing, 'end'>, { offset, text }: LiveText): string {
  if (offset >= end) return (offset > end && end > 0 ? HOLE : '') + text;
  return text.slice(end - offset);
}

export function withPiece(writings: Writings, piece: LiveText): Writings {
  const key = keyOf(piece);
  const before = writings.get(key);
  const text = (before?.text ?? '') + added(before ?? { end: 0 }, piece);
  const { kind, runId, turnId, actionId, offset } = piece;
  const next = new Map(writings);
  next.set(key, {
    ...{ key, kind, text: text.slice(-MOST_CHARS), end: Math.max(before?.end ?? 0, offset + piece.text.length) },
    isCut: before?.isCut === true || (before === undefined && offset > 0) || text.length > MOST_CHARS,
    ...(runId === undefined ? {} : { runId }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(actionId === undefined ? {} : { actionId }),
  });
  for (const oldest of next.keys()) {
    if (next.size <= MOST_TEXTS) break;
    next.delete(oldest);
  }
  return next;
}

export function without(writings: Writings, key: string): Writings {
  if (!writings.has(key)) return writings;
  const next = new Map(writings);
  next.delete(key);
  return next;
}
