/** Size of a text as UTF-8. */
export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A text of at most `maxBytes` with its marker; cut between characters. Unchanged when it fits. */
export function cutBytes(text: string, maxBytes: number): string {
  const total = bytesOf(text);
  if (total <= maxBytes) return text;
  const marker = ` [cut: ${total} bytes in all]`;
  const room = maxBytes - marker.length;
  return room > 0 ? headBytes(text, room) + marker : headBytes(marker, maxBytes);
}

/** The end of a text, with its marker in front: logs say at their end what went wrong. */
export function tailBytes(text: string, maxBytes: number): string {
  const total = bytesOf(text);
  if (total <= maxBytes) return text;
  const marker = `[the end of ${total} bytes] `;
  const bytes = Buffer.from(text);
  let start = total - Math.max(maxBytes - marker.length, 0);
  while (isContinuation(bytes[start])) start += 1;
  return headBytes(marker + bytes.toString('utf8', start), maxBytes);
}

function headBytes(text: string, maxBytes: number): string {
  // No character is shorter than a byte, so this much is enough to look at.
  const bytes = Buffer.from(text.slice(0, Math.max(maxBytes, 0) + 1));
  let end = Math.min(Math.max(maxBytes, 0), bytes.length);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
