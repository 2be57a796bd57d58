import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface Body {
  readonly bytes: Buffer;
  /** There was more. */
  readonly cut: boolean;
}

/** At most `maxBytes` of an unpacked body; the rest is never taken from the network. Rejects if it breaks off. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const unpacked = unpack(response.headers['content-encoding']);
  const moved = pipeline(response, unpacked).catch((error: unknown) => unpacked.destroy(toError(error)));
  try {
    for await (const chunk of unpacked as Readable) {
      const part = Buffer.from(chunk);
      chunks.push(part);
      bytes += part.length;
      if (bytes > maxBytes) break;
    }
  } finally {
    response.destroy();
    await moved;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), cut: bytes > maxBytes };
}

function unpack(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return new PassThrough();
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
