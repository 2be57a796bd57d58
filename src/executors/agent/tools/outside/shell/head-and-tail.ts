import { open } from 'node:fs/promises';

/** Shown of one command's output: half from its beginning, half from its end. Less than the loop cuts, which would take our reference out. */
const SHOWN_BYTES = 28 * 1024;

export interface HeadAndTail {
  readonly head: string;
  /** Empty where nothing is left out. */
  readonly tail: string;
  readonly omittedBytes: number;
}

/** Both ends of a text file, cut between characters. */
export async function headAndTail(path: string, shownBytes = SHOWN_BYTES): Promise<HeadAndTail> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    if (size <= shownBytes) return { head: (await read(0, size)).toString('utf8'), tail: '', omittedBytes: 0 };
    const half = Math.floor(shownBytes / 2);
    const head = wholeAtEnd(await read(0, half));
    const tail = wholeAtStart(await read(size - half, half));
    const omittedBytes = size - head.length - tail.length;
    return { head: head.toString('utf8'), tail: tail.toString('utf8'), omittedBytes };
  } finally {
    await file.close();
  }
}

const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function wholeAtStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 4 && continues(bytes[at])) at += 1;
  return bytes.subarray(at);
}

function wholeAtEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && continues(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const needs = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + needs > bytes.length ? bytes.subarray(0, start) : bytes;
}
