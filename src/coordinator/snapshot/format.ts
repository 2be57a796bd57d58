import type { Picture } from './picture.ts';

/**
 * JSON with one line per part and per entry of a list. A text in it cannot begin a line or end the object, whatever it
 * says: JSON writes its quotes and line breaks as escapes.
 */
export function formatPicture(picture: Picture): string {
  const parts = Object.entries(picture).filter(([, part]) => !isEmpty(part));
  return `{\n${parts.map(([key, part]) => `${JSON.stringify(key)}:${formatPart(part)}`).join(',\n')}\n}`;
}

function formatPart(part: unknown): string {
  if (!Array.isArray(part)) return JSON.stringify(part);
  return `[\n${part.map((entry: unknown) => ` ${JSON.stringify(entry)}`).join(',\n')}\n]`;
}

const isEmpty = (part: unknown): boolean =>
  part === undefined || (typeof part === 'object' && part !== null && Object.keys(part).length === 0);
