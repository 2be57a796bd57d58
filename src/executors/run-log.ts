import { type FileHandle, open, readFile } from 'node:fs/promises';
import { OUTCOME_LIMITS } from '../core/model/outcome.ts';
import { createRedactor, type Redactor, redact } from '../text/redact.ts';
import type { OutputChunk, OutputStream } from '../workspace/process/output-pump.ts';
import type { RunIo, StoredLog } from './executor.ts';

/** Of what a process prints, this much is kept from the beginning, … */
const LOG_MAX_BYTES = 50 * 1024 * 1024;
/** … and this much from the end of what goes beyond. */
const END_CHARS = 64 * 1024;

export interface RunLog {
  /** Output of a process, as it comes. */
  take(chunk: OutputChunk): Promise<void>;
  /** A line of the engine's own, which may quote others. */
  note(line: string): Promise<void>;
  /** The last characters so far, redacted. */
  tail(): string;
  /** Closes the file and puts the whole of it into the content store. Call once, whatever happened. */
  store(): Promise<StoredLog>;
  /** Closes the file only. */
  discard(): Promise<void>;
}

export interface RunLogSpec {
  /** Written as the output streams, so that it survives us; appended to where it exists. */
  readonly path: string;
  readonly secrets: readonly string[];
  readonly io: Pick<RunIo, 'onOutput' | 'putContent'>;
  /** Default {@link LOG_MAX_BYTES}. */
  readonly maxBytes?: number;
}

/** Output on its way to the file, the page and the tail; redacted before any of them sees it (D38). */
export async function openRunLog(spec: RunLogSpec): Promise<RunLog> {
  const file = await open(spec.path, 'a', 0o600);
  const channels = { stdout: channel(spec.secrets), stderr: channel(spec.secrets) };
  const body = boundedBody(file, spec.maxBytes ?? LOG_MAX_BYTES);
  const emit = async (stream: OutputStream, text: string) => {
    if (text === '') return;
    await body.write(text);
    await spec.io.onOutput(stream, text);
  };
  const close = async () => {
    for (const stream of ['stdout', 'stderr'] as const) await emit(stream, channels[stream].end());
    await body.close();
  };
  return {
    take: ({ stream, bytes }) => emit(stream, channels[stream].push(bytes)),
    note: (line) => emit('stderr', `${redact(line, spec.secrets)}\n`),
    tail: () => body.tail().slice(-OUTCOME_LIMITS.tailChars),
    store: async () => {
      await close();
      return storeLogFile(spec.path, spec.io);
    },
    discard: close,
  };
}

/** Puts a finished log file into the content store; a missing one counts as empty. */
export async function storeLogFile(path: string, io: Pick<RunIo, 'putContent'>): Promise<StoredLog> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const stored = await io.putContent(bytes);
  // Four bytes per character at most; what the cut leaves of the first one is dropped.
  const end = bytes.subarray(-4 * OUTCOME_LIMITS.tailChars).toString('utf8');
  return { ...stored, tail: end.slice(-OUTCOME_LIMITS.tailChars) };
}

interface Channel {
  push(bytes: Uint8Array): string;
  end(): string;
}

/** Chunks end in the middle of characters, too. */
function channel(secrets: readonly string[]): Channel {
  const decoder = new TextDecoder('utf-8');
  const redactor: Redactor = createRedactor(secrets);
  return {
    push: (bytes) => redactor.push(decoder.decode(bytes, { stream: true })),
    end: () => redactor.push(decoder.decode()) + redactor.end(),
  };
}

function boundedBody(file: FileHandle, maxBytes: number) {
  let writtenBytes = 0;
  let omittedBytes = 0;
  let omittedEnd = '';
  let end = '';
  return {
    async write(text: string): Promise<void> {
      end = (end + text).slice(-END_CHARS);
      const bytes = Buffer.byteLength(text);
      if (writtenBytes + bytes <= maxBytes && omittedBytes === 0) {
        writtenBytes += bytes;
        await file.appendFile(text);
        return;
      }
      omittedBytes += bytes;
      omittedEnd = (omittedEnd + text).slice(-END_CHARS);
    },
    tail: () => end,
    async close(): Promise<void> {
      const left = omittedBytes - Buffer.byteLength(omittedEnd);
      const gap = left > 0 ? `\n[… ${left} bytes are not kept …]\n` : '';
      if (omittedBytes > 0) await file.appendFile(gap + omittedEnd);
      await file.close();
    },
  };
}
