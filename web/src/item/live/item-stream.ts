import { type LiveFrame, ProblemError } from '../../../../src/client/index.ts';
import { client } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { keyOf, NOTHING_WRITTEN, type Writings, without, withPiece } from './live-texts.ts';

/** What is shown of an item is read again at most this often, however much happens. */
const GATHER_MS = 400;
/** Text is shown at most this often: letters need no more, and a page with twenty streams has other things to do. */
const SHOW_MS = 100;

/** The one subscription of an item: whoever shows something of it listens. */
interface Stream {
  readonly listeners: Set<() => void>;
  writings: Writings;
  /** The newest event that is known to be included in what was read. */
  position: number;
  connection: AbortController | undefined;
  gathering: ReturnType<typeof setTimeout> | undefined;
  showing: ReturnType<typeof setTimeout> | undefined;
  /** Texts that are over, and stay until what is durable of them is shown. */
  over: string[];
}

const streams = new Map<string, Stream>();

function become(stream: Stream, writings: Writings): void {
  if (writings === stream.writings) return;
  stream.writings = writings;
  stream.showing ??= setTimeout(() => {
    stream.showing = undefined;
    for (const listener of stream.listeners) listener();
  }, SHOW_MS);
}

/** What was read again holds the durable words, so the live ones go: replaced, never doubled, and no gap between. */
async function readAgain(id: string, stream: Stream): Promise<void> {
  const over = stream.over.splice(0);
  const known = queryClient.getQueryData<{ readonly version: number }>(['item', id]);
  const isNew = over.length > 0 || known === undefined || known.version < stream.position;
  if (isNew) await queryClient.invalidateQueries({ queryKey: ['item', id] });
  become(
    stream,
    over.reduce((left, key) => without(left, key), stream.writings),
  );
}

function gather(id: string, stream: Stream): void {
  stream.gathering ??= setTimeout(() => {
    stream.gathering = undefined;
    void readAgain(id, stream);
  }, GATHER_MS);
}

function take(id: string, stream: Stream, frame: LiveFrame): void {
  if (frame.event === 'live') become(stream, withPiece(stream.writings, frame.data));
  else {
    stream.over.push(keyOf(frame.data));
    gather(id, stream);
  }
}

async function follow(id: string, stream: Stream, signal: AbortSignal): Promise<void> {
  const events = client.followItem(id, {
    signal,
    after: stream.position,
    live: (frame) => take(id, stream, frame),
    // A text that ended meanwhile would stay for ever; the server tells anew what is still being written.
    connected: (isConnected) => isConnected || become(stream, NOTHING_WRITTEN),
  });
  for await (const { seq } of events) {
    stream.position = seq;
    gather(id, stream);
  }
}

const isReset = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'stream_reset';

/** A refusal that stands ends it: the item's own query has met the same one, and shows it. */
async function connect(id: string, stream: Stream): Promise<void> {
  const connection = new AbortController();
  stream.connection = connection;
  try {
    await follow(id, stream, connection.signal);
  } catch (error) {
    if (!isReset(error) || connection.signal.aborted) return;
    stream.position = 0;
    await connect(id, stream);
  }
}

function disconnect(stream: Stream): void {
  stream.connection?.abort();
  stream.connection = undefined;
  stream.writings = NOTHING_WRITTEN;
}

/** A browser opens six connections to a server: a page that nobody sees keeps none for watching. */
document.addEventListener('visibilitychange', () => {
  for (const [id, stream] of streams) {
    if (document.hidden) disconnect(stream);
    else if (!stream.connection) void connect(id, stream);
  }
});

function opened(id: string, version: number): Stream {
  const stream: Stream = {
    ...{ listeners: new Set(), writings: NOTHING_WRITTEN, position: version, over: [] },
    ...{ connection: undefined, gathering: undefined, showing: undefined },
  };
  streams.set(id, stream);
  if (!document.hidden) void connect(id, stream);
  return stream;
}

/** Joins the stream of an item; the first one to come opens it behind `version`, the last one to leave closes it. */
export function listen(id: string, version: number, listener: () => void): () => void {
  const stream = streams.get(id) ?? opened(id, version);
  stream.listeners.add(listener);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    streams.delete(id);
    clearTimeout(stream.gathering);
    clearTimeout(stream.showing);
    disconnect(stream);
  };
}

export const writingsOf = (id: string): Writings => streams.get(id)?.writings ?? NOTHING_WRITTEN;
