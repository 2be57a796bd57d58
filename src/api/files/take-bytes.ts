import { createHash } from 'node:crypto';

export type Taken =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array; readonly sha256: string }
  /** More came than was allowed; what was read is forgotten, what is on its way is not read. */
  | { readonly type: 'too_large' };

/** Reads a body, counting and hashing while it comes: what it says of its own length is not believed. */
export async function takeBytes(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Taken> {
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) return { type: 'too_large' };
    hash.update(chunk);
    chunks.push(chunk);
  }
  return { type: 'bytes', bytes: Buffer.concat(chunks), sha256: hash.digest('hex') };
}
