import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type OutcomeContext, type OutcomeParsed, parseOutcome } from '../outcome/parse-outcome.ts';

const OUTCOME_FILE_MAX_BYTES = 1024 * 1024;

export type OutcomeRead = { readonly kind: 'absent' } | OutcomeParsed;

/** Reads the outcome file of a command that has ended. Untrusted: it may be a link, endless, or not JSON. */
export async function readOutcomeFile(path: string, context: OutcomeContext): Promise<OutcomeRead> {
  const bytes = await readBounded(path);
  if (bytes === 'absent') return { kind: 'absent' };
  if (bytes === 'not_a_file') return malformed('The outcome must be a regular file.');
  if (bytes.length > OUTCOME_FILE_MAX_BYTES)
    return malformed(`The outcome file is larger than ${OUTCOME_FILE_MAX_BYTES} bytes.`);
  return parseOutcome(bytes.toString('utf8'), context);
}

const malformed = (complaint: string): OutcomeRead => ({ kind: 'malformed', complaints: [complaint] });

/** Through no link, and no more than a byte beyond the limit. */
async function readBounded(path: string): Promise<Buffer | 'absent' | 'not_a_file'> {
  // Opening a named pipe without a writer would wait for ever without O_NONBLOCK.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? ('absent' as const) : ('not_a_file' as const),
  );
  if (typeof file === 'string') return file;
  try {
    if (!(await file.stat()).isFile()) return 'not_a_file';
    const buffer = Buffer.alloc(OUTCOME_FILE_MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}
