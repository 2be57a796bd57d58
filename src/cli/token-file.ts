import { open, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TokenPrint } from '../api/access/token.ts';
import { type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';
import type { Shell } from './shell.ts';

/** Bits of a file's mode that let somebody else than its owner at it. */
const OTHERS = 0o077;

const unusable = (code: string, message: string, expected: string, found: string, next: string): Failure =>
  failure(EXIT.invalid, code, message, { expected, found, next });

async function made(path: string, shell: Shell): Promise<TokenPrint> {
  const { mintToken } = await import('../api/access/token.ts');
  const { token, ...print } = mintToken();
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${token}\n`);
  } finally {
    await file.close();
  }
  shell.err(`A new token is in ${path}, readable by you alone.`);
  return print;
}

async function read(path: string): Promise<TokenPrint | Failure> {
  const { mode } = await stat(path);
  if ((mode & OTHERS) !== 0 && process.platform !== 'win32') {
    const found = `${path} with mode ${(mode & 0o777).toString(8)}`;
    const next = `chmod 600 ${path}; if others may have read it, remove it and a new one is made.`;
    return unusable('token_file_open', 'Others may read the token file.', 'mode 600', found, next);
  }
  const { printOf } = await import('../api/access/token.ts');
  const print = printOf((await readFile(path, 'utf8')).trim());
  if (print) return print;
  const next = 'Remove it, and a new one is made.';
  return unusable('token_file_invalid', 'The token file holds no token.', 'one line, wc_ID_SECRET', path, next);
}

/** The token of a file that is the person's alone; where there is no file, one is made. */
export async function tokenFile(shell: Shell, name: string): Promise<TokenPrint | Failure> {
  const path = resolve(shell.cwd, name);
  try {
    return await read(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return made(path, shell);
    throw error;
  }
}
