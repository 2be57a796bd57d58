import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../../core/index.ts';
import type { AttachedFile } from '../../executors/agent/tool.ts';
import type { UserPart } from '../../model/index.ts';
import type { World } from '../world.ts';

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Lays files of an item out for one Run: read-only, outside of its workspace (chapter 3 §16.6). */
export async function layOutAttachments(
  world: World,
  attachments: readonly Attachment[],
  runDir: string,
): Promise<readonly AttachedFile[]> {
  if (attachments.length === 0) return [];
  const folder = join(runDir, 'attachments');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return Promise.all(
    attachments.map(async ({ name, hash, bytes, mediaType }) => {
      const path = join(folder, name);
      await writeFile(path, await bodyOf(world, { name, hash }), { mode: 0o600 });
      await chmod(path, 0o400);
      return { name, path, mediaType, bytes };
    }),
  );
}

/** Pictures and PDF documents go to the model as they are; everything else is read with a tool. */
export async function attachmentParts(world: World, attachments: readonly Attachment[]): Promise<readonly UserPart[]> {
  const shown = attachments.filter(({ mediaType }) => PICTURES.has(mediaType) || mediaType === 'application/pdf');
  return Promise.all(
    shown.map(async ({ name, hash, mediaType }): Promise<UserPart> => {
      const data = Buffer.from(await bodyOf(world, { name, hash })).toString('base64');
      return { kind: PICTURES.has(mediaType) ? 'image' : 'pdf', mediaType, data };
    }),
  );
}

/** Content is addressed by its hash, so what is read is what was attached. */
async function bodyOf({ store }: World, { name, hash }: Pick<Attachment, 'name' | 'hash'>): Promise<Uint8Array> {
  const body = await store.getContent(hash);
  if (!body) throw new Error(`the attachment ${name} is gone from the store`);
  return body;
}
