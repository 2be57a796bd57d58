import { isProblem } from '../../../src/client/index.ts';
import { recall } from '../shell/remember.ts';
import { Refused } from './client.ts';

/** Some of the bytes behind a hash. */
export interface ContentPart {
  readonly bytes: Uint8Array;
  readonly from: number;
  /** How many there are in all. */
  readonly total: number;
}

interface Wanted {
  readonly signal?: AbortSignal;
  /** Both in bytes; `to` is exclusive. The whole without them. */
  readonly from?: number;
  readonly to?: number;
}

async function refusalOf(response: Response): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new Refused(body);
  return new Refused({ code: 'page', status: response.status, detail: `The server answered ${response.status}.` });
}

/** What a Content-Range says of the whole; a body that came whole is its own size. */
const totalOf = (response: Response, length: number): number =>
  Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? length);

/**
 * Bytes that an item names by their hash, as a range where one is asked for: a log of 50 MB is never read whole. The
 * typed client reads bodies as JSON and hides headers, so this asks by itself.
 */
export async function readContent(
  itemId: string,
  hash: string,
  { signal, from, to }: Wanted = {},
): Promise<ContentPart> {
  const token = recall('token');
  const isPart = from !== undefined && to !== undefined;
  const response = await fetch(`/api/v1/work-items/${encodeURIComponent(itemId)}/contents/${hash}`, {
    headers: {
      ...(isPart ? { range: `bytes=${from}-${to - 1}` } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await refusalOf(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, from: from ?? 0, total: totalOf(response, bytes.byteLength) };
}
