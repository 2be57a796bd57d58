import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { type Attachment, MESSAGE_LIMITS } from '../core/model/conversation.ts';
import { type Failure, failure, isFailure } from './answer.ts';
import type { App } from './app.ts';
import { EXIT } from './exit-codes.ts';

/** What can be shown to a model: images, PDF, text. Extensions of each; a file's bytes must agree with its name. */
const BINARY: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg', '.jfif'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
};

const TEXT: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

const refuse = (code: string, message: string, expected: string, found: string, next?: string): Failure =>
  failure(EXIT.invalid, code, message, { expected, found, ...(next === undefined ? {} : { next }) });

const mismatch = (name: string, expected: string, found: string): Failure =>
  refuse('attachment_type', `${name} cannot be attached.`, expected, found, 'Rename it, or convert it.');

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

/** Media type by what the bytes are; a name that says something else is refused. */
export async function mediaTypeOf(name: string, bytes: Uint8Array): Promise<string | Failure> {
  const { fileTypeFromBuffer } = await import('file-type');
  const extension = extname(name).toLowerCase();
  const claimed = Object.entries(BINARY).find(([, extensions]) => extensions.includes(extension))?.[0];
  const sniffed = (await fileTypeFromBuffer(bytes))?.mime;
  const extensions = sniffed === undefined ? undefined : BINARY[sniffed];
  if (sniffed !== undefined && extensions !== undefined)
    return claimed === sniffed ? sniffed : mismatch(name, `a name that ends in ${extensions.join(' or ')}`, name);
  if (claimed !== undefined)
    return mismatch(name, `what ${extension} stands for: ${claimed}`, sniffed ?? 'other bytes');
  // Words may begin like the magic number of something: what is text throughout is text.
  if (isText(bytes)) return TEXT[extension] ?? 'text/plain';
  return mismatch(name, 'PNG, JPEG, GIF, WebP, PDF or text in UTF-8', sniffed ?? 'other bytes');
}

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
    return refuse('attachment_size', `${shown} is too large.`, `at most ${most} bytes`, `${info.size} bytes`);
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
  return typeof mediaType === 'string' ? { name, bytes, mediaType } : mediaType;
}

/**
 * Reads, checks and stores files; nothing is stored unless all of them can be taken. Sums over an item are the core's
 * to check.
 */
export async function attach(app: App, paths: readonly string[]): Promise<readonly Attachment[] | Failure> {
  if (paths.length > MESSAGE_LIMITS.attachments) {
    const expected = `at most ${MESSAGE_LIMITS.attachments} files`;
    return refuse('attachment_count', 'Too many attachments.', expected, `${paths.length}`);
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
