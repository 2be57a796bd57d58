import type { Answer, ClientProblem, WorkCenterClient } from '../../client/index.ts';
import type { Attachment } from '../../core/model/conversation.ts';
import type { Store } from '../../store/store.ts';
import type { Failure } from '../answer.ts';
import { failureOfProblem } from './problem-failure.ts';
import { announcedServer, type ServerPlace } from './server-file.ts';

/** A server that carries out what a command asks. */
export interface Server {
  readonly client: WorkCenterClient;
  /** It was named by its address; else it is the one of this data directory, whose store can be asked as well. */
  readonly isRemote: boolean;
}

/**
 * The server that runs on this data directory, if one does. None inside of a Run: what works there has no person's
 * authority, and must not borrow the server's (architecture, "Security posture").
 */
export async function ownServer(place: ServerPlace): Promise<Server | undefined> {
  if (place.shell.env.WORKCENTER_RUN !== undefined) return undefined;
  const file = await announcedServer(place);
  if (!file) return undefined;
  const { createClient } = await import('../../client/index.ts');
  const { url, token } = file;
  return { client: createClient({ url, token }), isRemote: false };
}

/** Refusals of the server itself: nothing was asked of the engine. */
const ITS_OWN: ReadonlySet<string> = new Set([
  ...['cannot_create', 'foreign_host', 'foreign_origin', 'scope_too_small', 'route_not_found'],
]);

const wasDecided = ({ status, code }: ClientProblem): boolean =>
  [403, 404, 409, 422].includes(status) && !ITS_OWN.has(code);

const NOT_OVER_HTTP: ClientProblem = {
  code: 'needs_local_store',
  status: 409,
  detail: 'This cannot be asked of a server elsewhere.',
  expected: 'no WORKCENTER_URL, and the data directory of this machine',
  next: 'Run it on the machine of the server.',
};

type Said<T> = { readonly type: 'said'; readonly data: T } | Failure;

/** Ids of files that the server was sent; none to the one of this data directory, whose store has their bytes. */
export async function filesOn(
  { client, isRemote }: Server,
  store: Pick<Store, 'getContent'>,
  attachments: readonly Attachment[] = [],
): Promise<readonly string[]> {
  if (!isRemote || attachments.length === 0) return [];
  return (await import('./upload.ts')).upload(client, store, attachments);
}

/**
 * Asks the server; once more where the connection broke, which is safe under one key. Undefined: it decided nothing, so
 * that the store of this machine may be asked in its place.
 */
export async function askServer<T>(
  { client, isRemote }: Server,
  send: (client: WorkCenterClient) => Promise<Answer<T>> | undefined,
): Promise<Said<T> | undefined> {
  const first = await send(client);
  const answer = first?.problem?.code === 'connection_lost' ? await send(client) : first;
  if (answer === undefined) return isRemote ? failureOfProblem(NOT_OVER_HTTP) : undefined;
  if (!answer.problem) return { type: 'said', data: answer.data };
  return isRemote || wasDecided(answer.problem) ? failureOfProblem(answer.problem) : undefined;
}
