import { complaintsOf, type Problem, repairRequest, turnAnswer } from '../../coordinator/index.ts';
import type { CallFence, ItemState, OpenCall, TurnFence } from '../../core/index.ts';
import type { Asked } from '../../executors/agent/agent-ports.ts';
import { decodeRequest, decodeResponse, type ModelRequest, type ModelResponse } from '../../model/index.ts';
import { redact } from '../../text/redact.ts';
import { assign } from '../../vp/index.ts';
import { askModel, sendStored } from '../calls/ask-model.ts';
import { redactResponse } from '../calls/redact-response.ts';
import { persist } from '../persist.ts';
import { inSpan } from '../telemetry.ts';
import { issue, type World, wasRefused } from '../world.ts';
import { failTurn, isPermanent, type TurnFailure } from './fail-turn.ts';
import { prepareTurn, type TurnMaterial } from './prepare-turn.ts';
import { underTurnLease } from './turn-lease.ts';

/** The decision, and one repair of it (D17). */
const ATTEMPTS = 2;

/** A turn that this process holds. */
interface HeldTurn {
  readonly world: World;
  readonly itemId: string;
  readonly fence: TurnFence;
  readonly signal: AbortSignal;
  readonly secrets: readonly string[];
}

/**
 * Carries one Coordinator turn: opens it or goes on with that of an owner who is gone, asks the model, applies what it
 * decided in one transaction. Whatever happens it ends decided, failed or retired, or stays open for the next owner
 * (chapter 2 §8.5, D17–D21). Answers whether there was a turn to carry, and so something to look at again.
 */
export async function carryTurn(world: World, itemId: string, stopping: AbortSignal): Promise<boolean> {
  let carried = false;
  await underTurnLease(world, itemId, stopping, async (epoch, signal) => {
    const held = await hold(world, itemId, epoch, signal);
    if (!held) return;
    carried = true;
    await inSpan('workcenter.turn', { 'workcenter.item': itemId }, () => decideTurn(held));
  });
  return carried;
}

/** Opens the turn that is owed, or adopts the open one; undefined when neither is so any more. */
async function hold(world: World, itemId: string, epoch: number, signal: AbortSignal): Promise<HeldTurn | undefined> {
  const state = await world.store.load(itemId);
  const open = state?.coordinator.turn;
  const fence: TurnFence = { turnId: open?.id ?? world.newId(), epoch, owner: world.worker.owner };
  const said = await persist(world, signal, () =>
    issue(world, itemId, { type: open ? 'AdoptTurn' : 'OpenTurn', ...fence }),
  );
  if (!wasRefused(said)) return { world, itemId, fence, signal, secrets: [] };
  if (said.code !== 'no_decision_due') world.log('turn not opened', { item: itemId, code: said.code });
  return undefined;
}

async function decideTurn(held: HeldTurn): Promise<void> {
  const { world, itemId } = held;
  const state = await world.store.load(itemId);
  const turn = state?.coordinator.turn;
  if (!state || turn?.id !== held.fence.turnId) return;
  const prepared = await prepareTurn(world, state, turn);
  if (prepared.kind === 'refused') {
    const { code, error } = prepared;
    return failTurn(held, { code, error, counted: true, permanent: true });
  }
  await attempts({ ...held, secrets: prepared.secrets }, prepared);
}

/** Up to two answers; each is read from the store where it is there already (D7, rule 29). */
async function attempts(held: HeldTurn, material: TurnMaterial): Promise<void> {
  let complaints: readonly Problem[] = [];
  let before: Answered | undefined;
  for (let n = 1; n <= ATTEMPTS; n += 1) {
    const request = before ? repairRequest(before.request, before.response, complaints) : material.first;
    const answered = await answer(held, n, request);
    if ('failure' in answered) return answered.failure && failTurn(held, answered.failure);
    const state = await held.world.store.load(held.itemId);
    const turn = state?.coordinator.turn;
    if (!state || turn?.id !== held.fence.turnId) return;
    const { vps, defaults } = material;
    // What is decided becomes events and the words of Actions (D38).
    const clean = redactResponse(answered.response, (text) => redact(text, held.secrets));
    const compiled = turnAnswer(clean, { state, turn, vps, assign, defaults });
    if (compiled.kind === 'decided') {
      const refused = await decide(held, compiled.decided);
      if (refused === undefined) return;
      complaints = refused;
    } else complaints = compiled.complaints;
    before = answered;
  }
  const wrong = complaints
    .map(({ path, expected, found }) => `${path || 'the answer'}: expected ${expected}, found ${found}`)
    .join('; ');
  // Read by people first: what was wrong in detail is for whoever looks into the model.
  const error = `What it answered could not be carried out. ${wrong}`;
  await failTurn(held, { code: 'invalid_decision', error, counted: true, permanent: false });
}

interface Answered {
  readonly request: ModelRequest;
  readonly response: ModelResponse;
}

/** No failure: the turn is no longer ours, or waits for its next owner. */
type NotAnswered = { readonly failure: TurnFailure | undefined };

/** The stored answer, the stored request, or a new one: whatever comes first (chapter 2 §13). */
async function answer(held: HeldTurn, n: number, wanted: ModelRequest): Promise<Answered | NotAnswered> {
  const state = await held.world.store.load(held.itemId);
  const known = state && callOf(state, held.fence.turnId, n);
  if (known?.status === 'responded') return storedAnswer(held, known);
  if (known?.status === 'dispatching') return lostAnswer(held, known);
  const options = { signal: held.signal, secrets: held.secrets };
  const callId = known?.id ?? held.world.newId();
  const plan = { itemId: held.itemId, fence: callFence(held), callId, n, messages: 0 };
  if (!known) return outcome(wanted, await askModel(held.world, plan, wanted, options));
  const body = await bodyOf(held.world, known.requestHash);
  const stored = body === undefined ? undefined : decodeRequest(body);
  if (body === undefined || stored?.kind !== 'decoded') return damaged('request');
  const asked = await sendStored(held.world, { ...plan, body, estimate: known.estimate }, options);
  return outcome(stored.value, asked);
}

const callFence = ({ fence }: HeldTurn): CallFence => ({ kind: 'turn', ...fence });

const callOf = ({ calls }: ItemState, turnId: string, n: number): OpenCall | undefined =>
  calls.find((call) => call.of.kind === 'turn' && call.of.turnId === turnId && call.n === n);

async function bodyOf({ store }: World, hash: string | undefined): Promise<string | undefined> {
  const body = hash === undefined ? undefined : await store.getContent(hash);
  return body && Buffer.from(body).toString('utf8');
}

const damaged = (what: string): NotAnswered => ({
  failure: { code: `${what}_damaged`, error: `The stored ${what} cannot be read.`, counted: true, permanent: false },
});

async function storedAnswer({ world }: HeldTurn, call: OpenCall): Promise<Answered | NotAnswered> {
  const [request, response] = await Promise.all([bodyOf(world, call.requestHash), bodyOf(world, call.responseHash)]);
  const asked = request === undefined ? undefined : decodeRequest(request);
  const said = response === undefined ? undefined : decodeResponse(response);
  if (asked?.kind !== 'decoded' || said?.kind !== 'decoded') return damaged('answer');
  return { request: asked.value, response: said.value };
}

/** Sent by an owner who is gone: never again without a person's word (D11). */
async function lostAnswer(held: HeldTurn, call: OpenCall): Promise<NotAnswered> {
  const marked = { type: 'MarkCallUnknown', fence: callFence(held), callId: call.id } as const;
  const said = await persist(held.world, held.signal, () => issue(held.world, held.itemId, marked));
  return wasRefused(said) ? { failure: undefined } : { failure: lostCall(call.id) };
}

const lostCall = (callId: string): TurnFailure => {
  const error = 'The request was sent, and its answer is lost.';
  return { code: 'model_call_unknown', error, counted: false, permanent: false, lostCall: callId };
};

/** The turn is no longer ours to fail. */
const LEFT: ReadonlySet<string> = new Set(['aborted', 'lease_lost', 'item_held', 'item_ended', 'item_not_open']);

function outcome(request: ModelRequest, asked: Asked): Answered | NotAnswered {
  switch (asked.kind) {
    case 'responded':
      return { request, response: asked.response };
    case 'lost':
      return { failure: lostCall(asked.callId) };
    case 'failed':
      return { failure: { code: asked.code, error: asked.error, counted: true, permanent: isPermanent(asked.code) } };
    case 'interrupted': {
      const { code, error, park } = asked;
      if (park) return { failure: { code, error, counted: false, permanent: false, park } };
      // Nobody is to blame: the next owner goes on with the same turn, or the hold has retired it.
      return { failure: LEFT.has(code) ? undefined : { code, error, counted: true, permanent: false } };
    }
  }
}

/** What the core has against it, for the repair; undefined when it is decided, or no longer ours to decide. */
async function decide(
  held: HeldTurn,
  decided: Extract<ReturnType<typeof turnAnswer>, { kind: 'decided' }>['decided'],
): Promise<readonly Problem[] | undefined> {
  const { world, itemId, fence, signal } = held;
  const said = await persist(world, signal, () => issue(world, itemId, { type: 'Decide', ...fence, ...decided }));
  if (!wasRefused(said)) return undefined;
  if (said.code === 'invalid_decision') return complaintsOf(said);
  world.log('decision refused', { item: itemId, code: said.code });
  if (said.code === 'lease_lost' || said.code === 'item_held' || said.code === 'item_ended') return undefined;
  await failTurn(held, { code: said.code, error: said.message, counted: false, permanent: false });
  return undefined;
}
