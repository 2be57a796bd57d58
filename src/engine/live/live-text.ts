/** Which text: what the model says to one request, or all that one Run prints. */
export interface LiveSource {
  readonly kind: 'text' | 'output';
  readonly runId?: string;
  /** In place of `runId` where the Coordinator speaks. */
  readonly turnId?: string;
  readonly actionId?: string;
  /** With `text`. */
  readonly callId?: string;
}

/** `offset` counts UTF-16 units of the source's text; beyond what a reader has, the text between was dropped. */
export type LivePiece = Readonly<
  { kind: 'text'; source: LiveSource; offset: number; text: string } | { kind: 'end'; source: LiveSource }
>;

export interface LiveReader {
  /** What is new, at most 16 Ki units of each source; empty when there is nothing. */
  take(): readonly LivePiece[];
  close(): void;
}

/**
 * Text for people to watch while it is being written, beside everything durable: lossy, in this process only, and
 * redacted before it comes here (D38). Sources are told apart by `callId`, else by `runId`.
 *
 * Only the newest text of each source is kept, once for all readers. A reader is a position in it, so that a slow one
 * costs nothing: what it did not take in time it misses, and one that comes late begins with what is still there.
 */
export interface LiveText {
  write(itemId: string, source: LiveSource, text: string): void;
  /** What is durable of it is committed. A source that never wrote is none. */
  end(itemId: string, source: LiveSource): void;
  /** `wake` is called when there may be something to take; it must not throw. */
  subscribe(itemId: string, wake: () => void): LiveReader;
  /** UTF-16 units that are held now. */
  readonly held: number;
}

export interface LiveTextLimits {
  /** Of each source. */
  readonly tailChars: number;
  /** Sources that ended and that somebody may still be reading. */
  readonly ended: number;
}

const LIMITS: LiveTextLimits = Object.freeze({ tailChars: 64 * 1024, ended: 32 });
const PIECE_CHARS = 16 * 1024;
/** Tokens are joined up to this, so that a tail is no list of thousands. */
const CHUNK_CHARS = 1_024;

interface Chunk {
  readonly offset: number;
  text: string;
}

/** The newest text of one source. */
interface Tail {
  readonly itemId: string;
  readonly source: LiveSource;
  readonly chunks: Chunk[];
  /** Where the next text begins. */
  length: number;
  held: number;
  ended: boolean;
}

/** The sources of one item, and who reads them. */
interface Watched {
  readonly tails: Map<string, Tail>;
  readonly wakes: Set<() => void>;
}

const keyOf = ({ callId, runId, turnId }: LiveSource): string => callId ?? runId ?? turnId ?? '';

export function openLiveText(limits: Partial<LiveTextLimits> = {}): LiveText {
  const { tailChars, ended: endedMax } = { ...LIMITS, ...limits };
  const items = watchedItems();
  const ended: Tail[] = [];
  return {
    get held() {
      return items.tails().reduce((sum, { held }) => sum + held, 0);
    },
    write(itemId, source, text) {
      if (text === '') return;
      const { tails, wakes } = items.of(itemId);
      const known = tails.get(keyOf(source));
      const tail = known && !known.ended ? known : newTail(itemId, source);
      tails.set(keyOf(source), tail);
      append(tail, text, tailChars);
      for (const wake of wakes) wake();
    },
    end(itemId, source) {
      const { tails, wakes } = items.of(itemId);
      const tail = tails.get(keyOf(source));
      if (!tail || tail.ended) return items.tidy(itemId);
      tail.ended = true;
      if (wakes.size === 0) return items.drop(tail);
      ended.push(tail);
      for (const old of ended.splice(0, ended.length - endedMax)) items.drop(old);
      for (const wake of wakes) wake();
    },
    subscribe(itemId, wake) {
      const { tails, wakes } = items.of(itemId);
      const own = (): void => wake();
      wakes.add(own);
      return {
        take: reader(tails),
        close() {
          wakes.delete(own);
          if (wakes.size === 0) for (const tail of tails.values()) if (tail.ended) items.drop(tail);
          items.tidy(itemId);
        },
      };
    },
  };
}

/** Items that somebody writes or reads; the others cost nothing. */
function watchedItems() {
  const items = new Map<string, Watched>();
  const tidy = (itemId: string): void => {
    const watched = items.get(itemId);
    if (watched?.tails.size === 0 && watched.wakes.size === 0) items.delete(itemId);
  };
  return {
    tidy,
    of(itemId: string): Watched {
      const watched = items.get(itemId) ?? { tails: new Map<string, Tail>(), wakes: new Set<() => void>() };
      items.set(itemId, watched);
      return watched;
    },
    drop(tail: Tail): void {
      const tails = items.get(tail.itemId)?.tails;
      if (tails?.get(keyOf(tail.source)) === tail) tails.delete(keyOf(tail.source));
      tidy(tail.itemId);
    },
    tails: () => [...items.values()].flatMap(({ tails }) => [...tails.values()]),
  };
}

const newTail = (itemId: string, source: LiveSource): Tail => ({
  ...{ itemId, source, chunks: [], length: 0, held: 0 },
  ended: false,
});

function append(tail: Tail, text: string, tailChars: number): void {
  const last = tail.chunks.at(-1);
  if (last && last.text.length + text.length <= CHUNK_CHARS) last.text += text;
  else tail.chunks.push({ offset: tail.length, text });
  tail.length += text.length;
  tail.held += text.length;
  for (let first = tail.chunks[0]; first && tail.held > tailChars; first = tail.chunks[0]) {
    const over = tail.held - tailChars;
    tail.chunks.shift();
    tail.held -= first.text.length;
    if (first.text.length <= over) continue;
    // The end of a piece that is larger than what goes.
    const rest = { offset: first.offset + over, text: first.text.slice(over) };
    tail.chunks.unshift(rest);
    tail.held += rest.text.length;
  }
}

/** Its end was told, or it was over before the reader came. */
const TOLD = -1;

function reader(tails: ReadonlyMap<string, Tail>): LiveReader['take'] {
  const seen = new Map<Tail, number>();
  for (const tail of tails.values()) if (tail.ended) seen.set(tail, TOLD);
  return () => {
    const pieces: LivePiece[] = [];
    for (const tail of tails.values()) {
      const from = seen.get(tail) ?? 0;
      if (from === TOLD) continue;
      const piece = pieceFrom(tail, from);
      if (piece) pieces.push(piece);
      const next = piece ? piece.offset + piece.text.length : from;
      const isOver = tail.ended && next === tail.length;
      if (isOver) pieces.push({ kind: 'end', source: tail.source });
      if (piece || isOver) seen.set(tail, isOver ? TOLD : next);
    }
    for (const [tail, position] of seen) {
      if (tails.get(keyOf(tail.source)) === tail) continue;
      seen.delete(tail);
      if (position !== TOLD) pieces.push({ kind: 'end', source: tail.source });
    }
    return pieces;
  };
}

function pieceFrom(tail: Tail, from: number): Extract<LivePiece, { kind: 'text' }> | undefined {
  const texts: string[] = [];
  let offset = from;
  let chars = 0;
  for (const chunk of tail.chunks) {
    const skip = Math.max(0, from - chunk.offset);
    if (skip >= chunk.text.length) continue;
    if (texts.length === 0) offset = chunk.offset + skip;
    const text = chunk.text.slice(skip, skip + PIECE_CHARS - chars);
    texts.push(text);
    chars += text.length;
    if (chars >= PIECE_CHARS) break;
  }
  return texts.length === 0 ? undefined : { kind: 'text', source: tail.source, offset, text: texts.join('') };
}
