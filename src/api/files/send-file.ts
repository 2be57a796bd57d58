import type { Context } from 'hono';
import { type ProblemResponse, problem } from '../problem.ts';

/** Bytes that came from somebody else: downloaded, never opened as a page of ours. */
export interface SentFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** One range of bytes; `whole` for what is none or several, which a server may ignore (RFC 9110, 14.2). */
export function rangeOf(header: string | undefined, length: number): Span | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  const from = first === '' ? Math.max(length - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? length : Math.min(Number(last) + 1, length);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole';
  return from < to ? { from, to } : 'unsatisfiable';
}

/** RFC 6266: a plain name for old programs, and the real one in UTF-8 (RFC 5987). */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name.replace(/\p{Cs}/gu, '_')).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** The same where its bytes are read as they are asked for. */
export interface SentBytes extends Omit<SentFile, 'bytes' | 'hash'> {
  readonly etag: string;
  readonly length: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
}

/** Answers a file, whole or one range of it; its ETag is its hash, for its bytes never change. */
export const sendFile = (context: Context, { bytes, hash, ...file }: SentFile): Promise<ProblemResponse> => {
  const read = async (from: number, to: number): Promise<Uint8Array> => bytes.subarray(from, to);
  return sendBytes(context, { ...file, etag: `"${hash}"`, length: bytes.byteLength, read });
};

/** Answers bytes, all of them or one range. */
export async function sendBytes(context: Context, file: SentBytes): Promise<ProblemResponse> {
  const { name, mediaType, etag, length, read } = file;
  const headers = {
    'Accept-Ranges': 'bytes',
    'Content-Disposition': dispositionOf(name),
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  const { req } = context;
  if (req.header('if-none-match') === etag) return new Response(null, { status: 304, headers }) as ProblemResponse;
  const isOurs = (req.header('if-range') ?? etag) === etag;
  const range = isOurs ? rangeOf(req.header('range'), length) : 'whole';
  if (range === 'unsatisfiable') {
    context.header('Content-Range', `bytes */${length}`);
    const more = { expected: `a range within ${length} bytes`, found: req.header('range') ?? '' };
    return problem(context, { code: 'range_not_satisfiable', message: 'The file does not reach that far.', ...more });
  }
  const { from, to } = range === 'whole' ? { from: 0, to: length } : range;
  const body = await read(from, to);
  const part = { 'Content-Type': mediaType, 'Content-Length': String(body.byteLength) };
  const where = range === 'whole' ? {} : { 'Content-Range': `bytes ${from}-${to - 1}/${length}` };
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status: range === 'whole' ? 200 : 206,
    headers: { ...headers, ...part, ...where },
  }) as ProblemResponse;
}
