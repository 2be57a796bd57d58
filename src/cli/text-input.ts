import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bad, type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';
import type { Shell } from './shell.ts';

/** More than any text that is taken, so that what is too long can still be told from what is endless. */
const READ_MAX_BYTES = 1024 * 1024;

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const noText = (where: string): Failure =>
  failure(EXIT.invalid, 'not_text', `${where} is no text.`, {
    expected: 'UTF-8',
    found: 'other bytes',
    next: 'Attach it as a file (--attach FILE).',
  });

/** A text as it was typed, or all of standard input where it is `-`. */
export async function typedText(shell: Pick<Shell, 'readInput'>, text: string): Promise<string | Failure> {
  if (text !== '-') return text;
  return decode(await shell.readInput(READ_MAX_BYTES)) ?? noText('Standard input');
}

/** A text as it was typed, or what is in the file of `@FILE`. */
export async function fileText(shell: Pick<Shell, 'cwd'>, text: string): Promise<string | Failure> {
  if (!text.startsWith('@')) return text;
  const path = resolve(shell.cwd, text.slice(1));
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) {
    return failure(EXIT.notFound, 'file_unreadable', `${text.slice(1)} cannot be read.`, {
      expected: 'a text file',
      found: bytes.code ?? bytes.message,
      next: 'Check the path behind @.',
    });
  }
  return decode(bytes) ?? noText(text.slice(1));
}

/** Text of at most `mostChars` characters with something in it, refused before anything is stored. */
export function withinChars(what: string, text: string, mostChars: number): string | Failure {
  if (text.trim() === '') return bad(`${what} is empty.`, `1..${mostChars} characters`, 'nothing');
  if (text.length <= mostChars) return text;
  const next = 'Shorten it, and attach the whole as a file (--attach FILE).';
  return bad(`${what} is too long.`, `at most ${mostChars} characters`, `${text.length} characters`, next);
}
