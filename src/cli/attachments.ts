import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Attachment, MESSAGE_LIMITS } from '../core/model/conversation.ts';
import { mediaTypeOf } from '../engine/attachments/media-type.ts';
import { type Failure, failure, isFailure } from './answer.ts';
import type { App } from './app.ts';
import { EXIT } from './exit-codes.ts';

const refuse = (code: string, message: string, expected: string, found: string, next?: string): Failure =>
  failure(EXIT.invalid, code, message, { expected, found, ...(next === undefined ? {} : { next }) });

const KINDS = [
  ['isDirectory', 'a directory'],
  ['isFIFO', 'a named pipe'],
  ['isSocket', 'a socket'],
  ['isBlockDevice', 'a device'],
  ['isCharacterDevice', 'a device'],
] as const;

/** The bytes of a regular file of bounded size; never waits, whatever the path leads to. */
async function bytesOf(path: string, shown: string): Promise<Uint8Array | Failure> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (info instanceof Error) {
    const message = `${shown} cannot be read.`;
    return failure(EXIT.notFound, 'attachment_unreadable', message, {
      expected: 'a regular file',
      found: info.code === 'ENOENT' ? 'no such file' : (info.code ?? info.message),
      next: 'Check --attach.',
    });
  }
  const kind = KINDS.find(([is]) => info[is]())?.[1];
  if (kind !== undefined || !info.isFile())
    return refuse('attachment_kind', `${shown} is not a regular file.`, 'a regular file', kind ?? 'something else');
  const most = MESSAGE_LIMITS.attachmentBytes;
  if (info.size > most)
    return refuse('attachment_limit', `${shown} is too large.`, `at most ${most} bytes`, `${info.size} bytes`);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // What was looked at may have been replaced since.
    if (!(await file.stat()).isFile())
      return refuse('attachment_kind', `${shown} is not a regular file.`, 'a regular file', 'something else');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

async function readOne(app: App, path: string): Promise<ReadFile | Failure> {
  const bytes = await bytesOf(resolve(app.shell.cwd, path), path);
  if (isFailure(bytes)) return bytes;
  const name = basename(path);
  const mediaType = await mediaTypeOf(name, bytes);
  if (typeof mediaType === 'string') return { name, bytes, mediaType };
  const { code, message, ...more } = mediaType;
  return failure(EXIT.invalid, code, message, more);
}

/**
 * Reads, checks and stores files; nothing is stored unless all of them can be taken. Sums over an item are the core's
 * to check.
 */
export async function attach(app: App, paths: readonly string[]): Promise<readonly Attachment[] | Failure> {
  if (paths.length > MESSAGE_LIMITS.attachments) {
    const expected = `at most ${MESSAGE_LIMITS.attachments} files`;
    return refuse('attachment_limit', 'Too many attachments.', expected, `${paths.length}`);
  }
  const files: ReadFile[] = [];
  for (const path of paths) {
    const file = await readOne(app, path);
    if (isFailure(file)) return file;
    files.push(file);
  }
  const attachments: Attachment[] = [];
  for (const { name, bytes, mediaType } of files) {
    const { hash } = await app.store.putContent(bytes);
    attachments.push({ name, hash, bytes: bytes.byteLength, mediaType });
  }
  return attachments;
}
