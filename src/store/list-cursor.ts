/** Where a page ended: order is updatedAt, then id, both descending. Opaque to callers. */
export interface ListPosition {
  readonly updatedAt: number;
  readonly id: string;
}

/** Before the first row of any page. */
export const LIST_START: ListPosition = Object.freeze({ updatedAt: Number.MAX_SAFE_INTEGER, id: '' });

export const encodeCursor = ({ updatedAt, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url');

/** Undefined for anything that is not one of ours: the caller says so instead of guessing a place. */
export function decodeCursor(cursor: string): ListPosition | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
    const [updatedAt, id]: readonly unknown[] = parsed;
    return Number.isSafeInteger(updatedAt) && typeof id === 'string' ? { updatedAt: Number(updatedAt), id } : undefined;
  } catch {
    return undefined;
  }
}

/** A text to look for anywhere, with the wildcards of LIKE taken literally (escape character: backslash). */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Whether `a` comes before `b` on a page. */
export const comesBefore = (a: ListPosition, b: ListPosition): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
