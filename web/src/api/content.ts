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
  /** So many bytes from the end, of something whose length is not known. */
  readonly last?: number;
}

/** Where the bytes behind a hash are. */
export const contentAddress = (itemId: string, hash: string): string =>
  `/api/v1/work-items/${encodeURIComponent(itemId)}/contents/${hash}`;

/** Where what a Run printed is. */
export const outputAddress = (itemId: string, actionId: string, runId: string): string => {
  const [item, action, run] = [itemId, actionId, runId].map(encodeURIComponent);
  return `/api/v1/work-items/${item}/actions/${action}/runs/${run}/output`;
};

async function refusalOf(response: Response): Promise<Refused> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new Refused(body);
  return new Refused({ code: 'page', status: response.status, detail: `The server answered ${response.status}.` });
}

/** What a Content-Range says: where it begins, and how long the whole is. A body that came whole is its own size. */
function placeOf(response: Response, length: number): Pick<ContentPart, 'from' | 'total'> {
  const [, from = 0, total = length] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  return { from: Number(from), total: Number(total) };
}

const rangeOf = ({ from, to, last }: Wanted): Readonly<Record<string, string>> => {
  if (last !== undefined) return { range: `bytes=-${last}` };
  return from !== undefined && to !== undefined ? { range: `bytes=${from}-${to - 1}` } : {};
};

/** Of something empty there is no range. */
const NOTHING_THERE = 416;

/**
 * Bytes of the server, as a range where one is asked for: a log of 50 MB is never read whole. The typed client reads
 * bodies as JSON and hides headers, so this asks by itself.
 */
export async function readBytes(address: string, wanted: Wanted = {}): Promise<ContentPart> {
  const token = recall('token');
  const { signal } = wanted;
  const response = await fetch(address, {
    headers: { ...rangeOf(wanted), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status === NOTHING_THERE && response.headers.get('content-range') === 'bytes */0') {
    return { bytes: new Uint8Array(), from: 0, total: 0 };
  }
  if (!response.ok) throw await refusalOf(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, ...placeOf(response, bytes.byteLength) };
}

/** Bytes that an item names by their hash. */
export const readContent = (itemId: string, hash: string, wanted: Wanted = {}): Promise<ContentPart> =>
  readBytes(contentAddress(itemId, hash), wanted);
