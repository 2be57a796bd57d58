import type { CommandBody, ItemState, Rejection } from '../../core/index.ts';
import type { AgentPorts, Approval, ApprovalRequest, Interrupted } from '../../executors/agent/agent-ports.ts';
import { redact } from '../../text/redact.ts';
import { askModel } from '../calls/ask-model.ts';
import { untilChanged } from '../calls/until-changed.ts';
import { persist } from '../persist.ts';
import { fenceOf, type Live } from '../run/carried.ts';
import { issue, type World, wasRefused } from '../world.ts';
import { layOutAttachments } from './attachments.ts';

const interrupted = ({ code, message }: Rejection): Interrupted => ({ kind: 'interrupted', code, error: message });

const ABORTED: Interrupted = { kind: 'interrupted', code: 'aborted', error: 'The Run was ended.' };

/** What the agent of one Run may ask of the engine: everything durable goes through the door, under its fence. */
export function agentPorts(world: World, live: Live, secrets: readonly string[]): AgentPorts {
  const { run, signal, state } = live;
  const itemId = state.id;
  const hide = (text: string): string => redact(text, secrets);
  const fence = fenceOf(run);
  const say = (body: CommandBody) => persist(world, signal, () => issue(world, itemId, body));
  const actionOf = async () => {
    const now = await world.store.load(itemId);
    return now?.actions.find(({ id }) => id === run.actionId);
  };
  return {
    async ask(request, n, messages) {
      const plan = { itemId, fence: { kind: 'run', run: fence }, callId: world.newId(), n, messages } as const;
      const asked = await askModel(world, plan, request, { signal, secrets });
      // An answer that came while the engine stopped is kept and charged; what it asks for is not begun any more.
      return asked.kind === 'responded' && signal.aborted ? ABORTED : asked;
    },
    messages: async () => (await actionOf())?.messages ?? [],
    layOut: (files) => layOutAttachments(world, files, world.home.run(run.id)),
    async beginOperation(operationId, what, tool) {
      if (signal.aborted) return ABORTED;
      const said = await say({ type: 'BeginOperation', fence, operationId, what: hide(what), tool });
      return wasRefused(said) ? interrupted(said) : undefined;
    },
    async endOperation(operationId, effect) {
      const said = await say({ type: 'EndOperation', fence, operationId, effect });
      if (wasRefused(said))
        world.log('operation not settled', { item: itemId, operation: operationId, code: said.code });
    },
    useGrant: async (key) => !wasRefused(await say({ type: 'UseGrant', fence, key })),
    patterns: async () => (await actionOf())?.grants.flatMap(({ pattern }) => pattern ?? []) ?? [],
    approve: (request) => approve(world, live, clean(request, hide), say),
    getContent: (hash) => world.store.getContent(hash),
  };
}

/** What a person is shown of a call, and what is stored of it (D38); a pattern with a secret in it is not offered. */
const clean = (request: ApprovalRequest, redact: (text: string) => string): ApprovalRequest => ({
  ...request,
  call: redact(request.call),
  whole: redact(request.whole),
  risk: redact(request.risk),
  pattern: redact(request.pattern) === request.pattern ? request.pattern : '',
});

type Say = (body: CommandBody) => ReturnType<typeof issue>;

/** Asks, gives the slot back, waits for the answer, and takes a slot again (D16). */
async function approve(world: World, live: Live, { risk, ...approval }: ApprovalRequest, say: Say): Promise<Approval> {
  const { run, signal, state } = live;
  const fence = fenceOf(run);
  const asked = await say({ type: 'AskApproval', fence, approval, risk });
  if (wasRefused(asked)) return interrupted(asked);
  const requestId = asked.state.requests.at(-1)?.id ?? '';
  const untilMs = performance.now() + world.settings.approvalPatienceMs;
  for (;;) {
    await untilChanged(world, state.id, signal);
    if (signal.aborted) return { kind: 'interrupted', code: 'aborted', error: 'The Run was ended while it waited.' };
    const now = await world.store.load(state.id);
    if (!now?.runs.some(({ id }) => id === run.id))
      return { kind: 'interrupted', code: 'lease_lost', error: 'taken away' };
    if (!now.requests.some(({ id }) => id === requestId)) break;
    if (performance.now() > untilMs) return { kind: 'unanswered' };
  }
  const awake = await wake(world, live, say);
  return awake ?? (await verdict(world, state, requestId, approval.key, run.actionId));
}

async function wake(world: World, { run, signal, state }: Live, say: Say): Promise<Interrupted | undefined> {
  for (;;) {
    const said = await say({ type: 'WakeRun', fence: fenceOf(run) });
    if (!wasRefused(said)) return undefined;
    if (said.code !== 'concurrency_full') return interrupted(said);
    await untilChanged(world, state.id, signal);
    if (signal.aborted) return { kind: 'interrupted', code: 'aborted', error: 'The Run was ended while it waited.' };
  }
}

async function verdict(
  { store }: World,
  { id: itemId, version }: ItemState,
  requestId: string,
  key: string,
  actionId: string,
): Promise<Approval> {
  const now = await store.load(itemId);
  const grants = now?.actions.find(({ id }) => id === actionId)?.grants ?? [];
  if (grants.some((grant) => grant.key === key)) return { kind: 'granted' };
  const events = await store.events(itemId, { after: version });
  const said = events.find(({ body }) => body.type === 'RequestAnswered' && body.requestId === requestId);
  return { kind: 'denied', words: said?.body.type === 'RequestAnswered' ? said.body.text : '' };
}
