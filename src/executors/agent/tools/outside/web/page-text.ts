import type { IncomingMessage } from 'node:http';
import { htmlText } from './html-text.ts';
import { readBody } from './read-body.ts';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|javascript)|application\/(?:x-)?(?:ndjson|yaml|javascript|sh|toml|sql))$/;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;

export type PageText =
  | { readonly kind: 'text'; readonly text: string; readonly type: string; readonly cut: boolean }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The body of a response as text. Rejects if it breaks off or the signal ends it. */
export async function pageText(response: IncomingMessage, url: string, signal: AbortSignal): Promise<PageText> {
  const header = response.headers['content-type'] ?? 'text/plain';
  const type = (header.split(';')[0] ?? '').trim().toLowerCase();
  if (!TEXT_TYPE.test(type) && !HTML_TYPE.test(type)) {
    response.destroy();
    return { kind: 'unreadable', why: `It is ${type}, and only text is read here.` };
  }
  const { bytes, cut } = await readBody(response, MAX_BODY_BYTES);
  const source = decode(bytes, charsetOf(header, bytes));
  if (!HTML_TYPE.test(type)) return { kind: 'text', text: source, type, cut };
  const text = await htmlText(source, url, signal);
  return text === null
    ? { kind: 'unreadable', why: 'Its HTML is too large or too deeply nested to be read.' }
    : { kind: 'text', text, type, cut };
}

/** From the header, or from the beginning of the page itself. */
function charsetOf(header: string, bytes: Buffer): string {
  const named = /charset\s*=\s*["']?([\w.:-]+)/i;
  return named.exec(header)?.[1] ?? named.exec(bytes.subarray(0, 1_024).toString('latin1'))?.[1] ?? 'utf-8';
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8'); // An encoding that nobody knows.
  }
}
