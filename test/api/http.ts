import { randomBytes } from 'node:crypto';
import {
  type OnMachine,
  onMachine,
  type ServedApi,
  type ServeOptions,
  type Submit,
  serveApi,
} from '../../src/api/index.ts';
import type { World } from '../../src/engine/index.ts';
import { submitGoal as submitFor } from '../../src/engine/submit/submit-goal.ts';
import { openRig, type Rig } from '../support/rig.ts';
import { submitGoal } from '../support/submit-goal.ts';

/** A served store with one coordinated item that nobody carries. */
export interface Served {
  readonly rig: Rig;
  readonly api: ServedApi;
  readonly itemId: string;
  readonly world: World;
  readonly store: World['store'];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<number>;
}

/** As the command line creates items. */
const submitIn =
  (world: World): Submit =>
  (submission) =>
    submitFor({ ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` }, submission);

interface Options {
  /** False: nobody has told the server how. */
  readonly creates?: boolean;
  /** True: checks are tried for real. Else whatever is sent as a command, by the fuzz for instance, is never run. */
  readonly tries?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Who may speak to it, and how patient it is. */
  readonly serve?: Omit<Partial<ServeOptions>, 'store'>;
}

export async function served({ creates = true, tries = false, env = {}, serve = {} }: Options = {}): Promise<Served> {
  const rig = await openRig({ 'README.md': 'A project.\n' });
  const world = await rig.world({ env });
  const { store } = world;
  const item = await submitGoal(world, rig.repo, { goal: 'Make it so' });
  const submit = creates ? { submit: submitIn(world) } : {};
  const tryCheck: OnMachine['tryCheck'] = async () => ({ kind: 'impossible', why: 'this test tries none' });
  const rerun: OnMachine['rerun'] = async () => ({ kind: 'impossible', why: 'this test runs none' });
  const machine = { ...onMachine(world), ...(tries ? {} : { tryCheck, rerun }) };
  const api = await serveApi({ store, version: 'test', port: 0, machine, ...submit, ...serve });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${api.url}${path}`, { headers });
  const send =
    (method: string): Served['post'] =>
    (path, body, headers = {}) =>
      fetch(`${api.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  return {
    ...{ rig, api, world, store, itemId: item.id, get, post: send('POST'), patch: send('PATCH') },
    async close() {
      await api.close();
      return rig.close();
    },
  };
}

interface Sent {
  readonly id: string;
  readonly data: string;
}

/** Reads an event stream until `count` events have come; ends the connection then. */
export const readEvents = (response: Response, count: number): Promise<readonly Sent[]> =>
  readUntil(response, (found) => found.length >= count);

/** Reads an event stream until it has brought enough; ends the connection then. */
export async function readUntil(
  response: Response,
  isEnough: (found: readonly Sent[]) => boolean,
): Promise<readonly Sent[]> {
  const found: Sent[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && !isEnough(found)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (field('data') !== '') found.push({ id: field('id'), data: field('data') });
    }
  }
  await reader?.cancel();
  return found;
}
