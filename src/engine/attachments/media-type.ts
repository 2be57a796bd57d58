import { extname } from 'node:path';
import type { AttachmentRefusal } from './refusal.ts';

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

/** What is text although it is called an application. */
const TEXT_APPLICATIONS =
  /^application\/(?:(?:x-)?(?:javascript|json|ndjson|sh|sql|toml|typescript|xml|yaml)|[\w.-]+\+(?:json|xml))$/;
/** Says nothing about a file. */
const UNSAID: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

const mismatch = (name: string, expected: string, found: string): AttachmentRefusal => ({
  ...{ code: 'attachment_type', message: `${name} cannot be attached.`, expected, found },
  next: 'Rename it, or convert it.',
});

/** False for text. */
export const isBinary = (mediaType: string): boolean => BINARY[mediaType] !== undefined;

/** UTF-8 without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

/** Media type by what the bytes are; a name that says something else is refused. */
export async function mediaTypeOf(name: string, bytes: Uint8Array): Promise<string | AttachmentRefusal> {
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

/** A refusal where a sender declared another kind of file than its bytes are. */
export function declaredOtherwise(name: string, declared: string, mediaType: string): AttachmentRefusal | undefined {
  const said = declared.split(';')[0]?.trim().toLowerCase() ?? '';
  if (UNSAID.has(said)) return undefined;
  const agrees = isBinary(mediaType) ? said === mediaType : said.startsWith('text/') || TEXT_APPLICATIONS.test(said);
  return agrees ? undefined : mismatch(name, `Content-Type: ${mediaType}, or application/octet-stream`, said);
}
