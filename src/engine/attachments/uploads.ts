import { z } from 'zod';
import { type Attachment, MESSAGE_LIMITS } from '../../core/index.ts';
import type { SideRecord, Store } from '../../store/store.ts';
import type { AttachmentRefusal } from './refusal.ts';

/** A file that was sent and waits to be named by a goal, a message or an answer. */
export interface Upload extends Attachment {
  readonly id: string;
  /** Milliseconds. Until then it may be used, also more than once: an answer may have been lost. */
  readonly expiresAt: number;
}

export const UPLOAD_LIFE_MS = 24 * 3_600_000;
const KIND = 'upload';
/** Read at once when expired ones are looked for. */
const BATCH = 100;

const VALUE = z.object({ name: z.string(), hash: z.string(), bytes: z.number(), mediaType: z.string() });

const uploadOf = ({ id, at, value }: SideRecord): Upload => ({ id, expiresAt: at, ...VALUE.parse(value) });

type Records = Pick<Store, 'putContent' | 'putRecord' | 'getRecord' | 'listRecords' | 'dropRecord'>;

/** Keeps a file that was checked; its bytes are content. */
export async function keepUpload(
  store: Records,
  file: { readonly name: string; readonly bytes: Uint8Array; readonly mediaType: string },
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Upload> {
  const { hash, bytes } = await store.putContent(file.bytes);
  const value = { name: file.name, hash, bytes, mediaType: file.mediaType };
  const expiresAt = now + UPLOAD_LIFE_MS;
  await store.putRecord({ kind: KIND, id, at: expiresAt, value }, 0);
  return { id, expiresAt, ...value };
}

/** Undefined when there is none, or it has expired. */
export async function findUpload(store: Records, id: string, now: number): Promise<Upload | undefined> {
  const row = await store.getRecord(KIND, id);
  return row && row.at > now ? uploadOf(row) : undefined;
}

const expired = (id: string): AttachmentRefusal => ({
  code: 'attachment_expired',
  message: `The file ${id} is not here, or no longer.`,
  expected: 'the id of a file that was sent within the last day',
  found: id,
  next: 'Send the file again, and use its new id.',
});

const tooMuch = (message: string, expected: string, found: string): AttachmentRefusal => ({
  ...{ code: 'attachment_limit', message, expected, found },
  next: 'Leave some out.',
});

/** What is too much for one item, all its files together (chapter 4 §2.4); the core judges again. */
function beyondLimits(all: readonly Attachment[]): AttachmentRefusal | undefined {
  const { attachments, attachmentsTotalBytes } = MESSAGE_LIMITS;
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  if (all.length > attachments)
    return tooMuch('Too many files for one item.', `${attachments} in all`, `${all.length}`);
  return bytes > attachmentsTotalBytes
    ? tooMuch('The files of the item are too large.', `${attachmentsTotalBytes} bytes in all`, `${bytes}`)
    : undefined;
}

/** The files behind ids, for an item that has `known` already. They stay usable: a retry names them again. */
export async function uploadsFor(
  store: Records,
  ids: readonly string[],
  known: readonly Attachment[],
  now: number,
): Promise<readonly Attachment[] | AttachmentRefusal> {
  const found: Attachment[] = [];
  for (const id of ids) {
    const upload = await findUpload(store, id, now);
    if (!upload) return expired(id);
    const { name, hash, bytes, mediaType } = upload;
    found.push({ name, hash, bytes, mediaType });
  }
  // What a retry names again is there already, and is the core's to recognise.
  const isKnown = (file: Attachment): boolean =>
    known.some(({ name, hash }) => name === file.name && hash === file.hash);
  return beyondLimits([...known, ...found.filter((file) => !isKnown(file))]) ?? found;
}

export const dropUpload = (store: Records, id: string): Promise<boolean> => store.dropRecord(KIND, id);

/** Uploads that nobody can use any more. */
export async function expiredUploads(store: Records, now: number): Promise<readonly Upload[]> {
  const found: Upload[] = [];
  for (let behind: Pick<SideRecord, 'at' | 'id'> | undefined; ; ) {
    const rows = await store.listRecords(KIND, { until: now, limit: BATCH, ...(behind ? { behind } : {}) });
    found.push(...rows.map(uploadOf));
    behind = rows.at(-1);
    if (rows.length < BATCH || !behind) return found;
  }
}
