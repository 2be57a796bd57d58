import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a Run prints while it runs, for people who watch. It is cheap and may be lost in a power cut; what proves
 * something is kept elsewhere (receipts, content).
 *
 * The stream of a Run has one offset, in bytes from its start. Its head lies in `<run>.log`; what follows lies in
 * segments `<run>.<offset>.seg`, of which the last two are kept. So a Run that prints for days keeps its beginning
 * and its end, files are only ever appended to or removed, and a follower's offset stays true.
 */
export interface LiveOutputOptions {
  /** `<data>/live`; created on the first write. */
  readonly directory: string;
  readonly headBytes?: number;
  readonly segmentBytes?: number;
}

export const LIVE_OUTPUT_DEFAULTS = Object.freeze({ headBytes: 256 * 1024, segmentBytes: 1024 * 1024 });

export interface LivePart {
  readonly bytes: Uint8Array;
  /** Bytes of the stream that are gone between the asked offset and these. */
  readonly omitted: number;
  /** Where to go on. Equal to the asked offset when there is nothing new. */
  readonly next: number;
}

/** The one writer of a Run. Writes keep their order; a failed one is thrown by the write that meets it. */
export interface LiveWriter {
  write(chunk: Uint8Array | string): Promise<void>;
  close(): Promise<void>;
}

export interface LiveOutput {
  /** Continues behind what is there, so that a Run may be written by one process after another. */
  writer(runId: string): Promise<LiveWriter>;
  /** At most `maxBytes` (64 KiB) from `offset`; nothing for a Run that printed nothing. */
  read(runId: string, offset: number, maxBytes?: number): Promise<LivePart>;
  /** Head and tail as one text, the omission between them marked. */
  text(runId: string): Promise<string>;
  /** Removes the output of Runs last written before `olderThan`; answers how many Runs. */
  gc(query: { readonly olderThan: number; readonly keep?: ReadonlySet<string> }): Promise<number>;
}

interface Segment {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

const READ_BYTES = 64 * 1024;
const RUN_ID = /^[A-Za-z0-9_-]{1,128}$/;
const FILE = /^([A-Za-z0-9_-]+)(?:\.(\d+)\.seg|\.log)$/;

function checked(runId: string): string {
  if (RUN_ID.test(runId)) return runId;
  throw new RangeError(`A Run's output is named by letters, digits, _ and -, not ${JSON.stringify(runId)}.`);
}

const namesIn = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

/** The parts of a Run that are there, in order. */
async function segmentsOf(directory: string, runId: string): Promise<readonly Segment[]> {
  const found: Segment[] = [];
  for (const name of await namesIn(directory)) {
    const [, id, start] = FILE.exec(name) ?? [];
    if (id !== runId) continue;
    const path = join(directory, name);
    const size = await stat(path).then(
      (info) => info.size,
      () => undefined,
    );
    // A segment that was removed in between is one that is left out anyway.
    if (size !== undefined) found.push({ path, start: Number(start ?? 0), size });
  }
  return found.sort((a, b) => a.start - b.start);
}

const pathOf = (directory: string, runId: string, start: number): string =>
  join(directory, start === 0 ? `${runId}.log` : `${runId}.${start}.seg`);

type Sizes = Required<Pick<LiveOutputOptions, 'headBytes' | 'segmentBytes'>>;

async function openWriter(directory: string, runId: string, sizes: Sizes): Promise<LiveWriter> {
  await mkdir(directory, { recursive: true });
  const segments = [...(await segmentsOf(directory, runId))];
  const last = segments.at(-1) ?? { path: pathOf(directory, runId, 0), start: 0, size: 0 };
  let { start, size } = last;
  let handle = await open(last.path, 'a');
  const old = segments.filter((segment) => segment.start > 0).map((segment) => segment.path);

  const turnOver = async (): Promise<void> => {
    await handle.close();
    start += size;
    size = 0;
    const path = pathOf(directory, runId, start);
    handle = await open(path, 'a');
    old.push(path);
    while (old.length > 2) await rm(old.shift() ?? '', { force: true });
  };

  const append = async (bytes: Uint8Array): Promise<void> => {
    for (let rest = bytes; rest.byteLength > 0; ) {
      const room = (start === 0 ? sizes.headBytes : sizes.segmentBytes) - size;
      const part = rest.subarray(0, room);
      await handle.appendFile(part);
      size += part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (part.byteLength === room) await turnOver();
    }
  };

  let queue: Promise<void> = Promise.resolve();
  return {
    write: (chunk) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      queue = queue.then(() => append(bytes));
      return queue;
    },
    close: async () => {
      await queue.catch(() => {});
      await handle.close();
    },
  };
}

async function readPart(segment: Segment, offset: number, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(segment.path, 'r');
  try {
    const buffer = new Uint8Array(Math.min(maxBytes, segment.start + segment.size - offset));
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, offset - segment.start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const gone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function readFrom(directory: string, runId: string, offset: number, maxBytes: number): Promise<LivePart> {
  const segments = await segmentsOf(directory, runId);
  const segment = segments.find((candidate) => candidate.start + candidate.size > offset);
  if (!segment) return { bytes: new Uint8Array(0), omitted: 0, next: offset };
  const from = Math.max(offset, segment.start);
  try {
    const bytes = await readPart(segment, from, maxBytes);
    return { bytes, omitted: from - offset, next: from + bytes.byteLength };
  } catch (error) {
    // The writer has just left this segment behind: what remains begins later.
    if (gone(error)) return readFrom(directory, runId, offset, maxBytes);
    throw error;
  }
}

async function wholeText(directory: string, runId: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const part = await readFrom(directory, runId, offset, READ_BYTES);
    if (part.omitted > 0) parts.push(Buffer.from(`\n[… ${part.omitted} bytes left out …]\n`, 'utf8'));
    if (part.bytes.byteLength === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(part.bytes);
    offset = part.next;
  }
}

async function collect(directory: string, olderThan: number, keep: ReadonlySet<string>): Promise<number> {
  const files = new Map<string, string[]>();
  for (const name of await namesIn(directory)) {
    const id = FILE.exec(name)?.[1];
    if (id !== undefined && !keep.has(id)) files.set(id, [...(files.get(id) ?? []), join(directory, name)]);
  }
  let removed = 0;
  for (const paths of files.values()) {
    const times = await Promise.all(paths.map((path) => stat(path).then((info) => info.mtimeMs)));
    if (Math.max(...times) >= olderThan) continue;
    await Promise.all(paths.map((path) => rm(path, { force: true })));
    removed += 1;
  }
  return removed;
}

/** Live output below one directory. */
export function liveOutput({ directory, ...sizes }: LiveOutputOptions): LiveOutput {
  const bounds = { ...LIVE_OUTPUT_DEFAULTS, ...sizes };
  return {
    writer: (runId) => openWriter(directory, checked(runId), bounds),
    read: (runId, offset, maxBytes = READ_BYTES) => readFrom(directory, checked(runId), offset, maxBytes),
    text: (runId) => wholeText(directory, checked(runId)),
    gc: ({ olderThan, keep = new Set() }) => collect(directory, olderThan, keep),
  };
}
