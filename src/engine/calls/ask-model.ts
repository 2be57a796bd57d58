import { setTimeout as pause } from 'node:timers/promises';
import type { CallFence, CallTokens, Charge, CommandBody, Parked, Rejection } from '../../core/index.ts';
import type { Asked } from '../../executors/agent/agent-ports.ts';
import {
  type CallEnd,
  callModel,
  chargeOf,
  decodeRequest,
  encodeRequest,
  encodeResponse,
  estimateOf,
  type ModelRequest,
  nextTry,
  parseModelRef,
  providerOf,
  type ResolvedProvider,
} from '../../model/index.ts';
import { sha256Hex } from '../../store/index.ts';
import { redact } from '../../text/redact.ts';
import { type Configuration, modelSettings, readConfiguration } from '../configuration.ts';
import { type LiveWriter, liveAnswer } from '../live/live-sources.ts';
import { persist } from '../persist.ts';
import { inSpan } from '../telemetry.ts';
import { issue, issueWith, type World, wasRefused } from '../world.ts';
import { patientSignal } from './patient-signal.ts';
import { redactResponse } from './redact-response.ts';
import { untilChanged } from './until-changed.ts';

/** One request to be made durable and sent: whose it is, its number, what of the Action's messages it carries. */
export interface ModelCallPlan {
  readonly itemId: string;
  readonly fence: CallFence;
  readonly callId: string;
  /** From 1 within its owner. */
  readonly n: number;
  readonly messages: number;
}

/** A request that is stored already, by this process or by one that is gone. */
export interface StoredCall extends ModelCallPlan {
  readonly body: string;
  readonly estimate: Charge;
}

export interface AskOptions {
  /** Ends waiting, and the request itself; an orderly stop gives the answer time to come. */
  readonly signal: AbortSignal;
  readonly onActivity?: () => void;
  /** Redacted from the answer before it is stored or shown (D38). */
  readonly secrets: readonly string[];
}

const failed = (code: string, error: string): Asked => ({ kind: 'failed', code, error });
const interrupted = (code: string, error: string, park?: Parked): Asked => ({
  kind: 'interrupted',
  code,
  error,
  ...(park ? { park } : {}),
});

/** Stores the request with a reservation of its budget, then sends it. At most once, whatever dies on the way. */
export async function askModel(
  world: World,
  plan: ModelCallPlan,
  request: ModelRequest,
  options: AskOptions,
): Promise<Asked> {
  const configuration = readConfiguration((await world.store.readSettings()).value);
  const provider = providerFor(world, configuration, request.model);
  if (provider.kind === 'failed') return failed(provider.code, provider.error);
  const estimate = estimateOf(request, modelSettings(configuration).prices);
  const body = encodeRequest(request);
  const refused = await prepare(world, { ...plan, body, estimate }, request.model, options.signal);
  return refused ?? sendStored(world, { ...plan, body, estimate }, options);
}

/** Sends bytes that are stored and have provably not left yet (D3). */
export function sendStored(world: World, call: StoredCall, options: AskOptions): Promise<Asked> {
  const about = { 'workcenter.item': call.itemId, 'workcenter.call': call.callId };
  return inSpan('workcenter.call', about, async () => {
    const live = liveAnswer(world, call, options.secrets);
    try {
      return await send(world, call, options, live);
    } finally {
      live?.end();
    }
  });
}

async function send(world: World, call: StoredCall, options: AskOptions, live?: LiveWriter): Promise<Asked> {
  const decoded = decodeRequest(call.body);
  if (decoded.kind === 'damaged') return failed('request_damaged', decoded.message);
  const request = decoded.value;
  for (let attempt = 1; ; attempt += 1) {
    const configuration = readConfiguration((await world.store.readSettings()).value);
    const provider = providerFor(world, configuration, request.model);
    if (provider.kind === 'failed') return failed(provider.code, provider.error);
    const tried = await sendOnce(world, call, request, provider.provider, configuration, options, live);
    if (tried.kind !== 'again') return tried;
    const next = nextTry(tried.end, attempt, world.now(), Math.random());
    if (next.kind === 'give_up') return failed(failureCode(tried.end), tried.end.message);
    if (next.kind === 'park') {
      const details = `${request.model}: ${tried.end.message}`.slice(0, 1_000);
      return interrupted(next.code, details, { until: next.until, code: next.code, details });
    }
    await pause(next.afterMs, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal.aborted) return interrupted('aborted', 'The Run was ended while it waited to ask again.');
  }
}

type Again = Readonly<{ kind: 'again'; end: Extract<CallEnd, { kind: 'rejected' }> }>;

/** `model_unauthorised`, `model_not_found`: what is the model's already is not called so twice. */
const failureCode = ({ code }: Again['end']): string => (code.startsWith('model_') ? code : `model_${code}`);

/** The door refused the dispatch; nothing has left. */
class DispatchRefused extends Error {
  readonly asked: Asked;
  constructor(asked: Asked) {
    super('the dispatch was refused');
    this.asked = asked;
  }
}

async function sendOnce(
  world: World,
  call: StoredCall,
  request: ModelRequest,
  provider: ResolvedProvider,
  configuration: Configuration,
  options: AskOptions,
  live?: LiveWriter,
): Promise<Asked | Again> {
  let end: CallEnd;
  const patience = patientSignal(options.signal, world.settings.shutdownMs);
  try {
    end = await callModel(request, {
      provider,
      signal: patience.signal,
      now: world.now,
      onSend: () => dispatch(world, call, options.signal),
      ...(live ? { onText: live.write } : {}),
      ...(options.onActivity ? { onActivity: options.onActivity } : {}),
    });
  } catch (error) {
    if (error instanceof DispatchRefused) return error.asked;
    throw error;
  } finally {
    patience.release();
  }
  return settle(world, call, request.model, clean(end, options.secrets), configuration, options);
}

/** Words of a provider may quote what was sent to it (D38). Answers are cleaned where they are stored. */
const clean = (end: CallEnd, secrets: AskOptions['secrets']): CallEnd =>
  end.kind === 'responded' ? end : { ...end, message: redact(end.message, secrets) };

async function dispatch(world: World, call: StoredCall, signal: AbortSignal): Promise<void> {
  const body = { type: 'DispatchCall', fence: call.fence, callId: call.callId } as const;
  const refused = await withRoom(world, call.itemId, signal, body);
  if (refused) throw new DispatchRefused(refused);
}

/** What came of it is stored before anybody acts on it; a lost lease leaves the usage to be charged late. */
async function settle(
  world: World,
  call: StoredCall,
  model: string,
  end: CallEnd,
  configuration: Configuration,
  options: AskOptions,
): Promise<Asked | Again> {
  const { itemId, fence, callId, estimate } = call;
  const { prices } = modelSettings(configuration);
  const usage = end.kind === 'responded' ? end.response.usage : end.kind === 'unknown' ? end.usage : undefined;
  const charge = usage ? chargeOf(model, usage, prices) : estimate;
  const say = async (body: CommandBody, contents: readonly string[] = []): Promise<boolean> => {
    const said = await persist(world, options.signal, () => issueWith(world, itemId, body, contents));
    if (!wasRefused(said)) return true;
    world.log('call not settled', { item: itemId, call: callId, code: said.code });
    if (usage) await correct(world, itemId, callId, charge, usage);
    return false;
  };
  if (end.kind === 'rejected') {
    const verdict = { as: 'rejected', code: end.code, error: end.message } as const;
    const held = await say({ type: 'SettleCall', fence, callId, verdict });
    return held ? { kind: 'again', end } : interrupted('lease_lost', 'The Run was taken away.');
  }
  if (end.kind === 'unknown') {
    const verdict = { as: 'unknown', code: end.code, error: end.message, charge: higher(charge, estimate) } as const;
    const held = await say({ type: 'SettleCall', fence, callId, verdict });
    const error = `The request was sent, and its answer is lost (${end.code}): ${end.message}`;
    return held ? { kind: 'lost', callId, error } : interrupted('lease_lost', error);
  }
  const hide = (text: string): string => redact(text, options.secrets);
  const redacted = redactResponse(end.response, hide);
  const body = encodeResponse(redacted);
  const responded = { as: 'responded', responseHash: sha256Hex(body), charge, tokens: usage ?? null } as const;
  const verdict = { ...responded, stop: end.response.stop };
  const held = await say({ type: 'SettleCall', fence, callId, verdict }, [body]);
  // Calls are carried out with the arguments that were said; what is remembered of them is clean.
  const toolCalls = end.response.toolCalls.map((said) => ({ ...said, name: hide(said.name) }));
  const response = { ...redacted, toolCalls };
  return held ? { kind: 'responded', response } : interrupted('lease_lost', 'The Run was taken away.');
}

/** Nobody knows what was carried out: the larger of what was seen and what was reserved stays charged (RES-3). */
const higher = (seen: Charge, reserved: Charge): Charge => (seen.tokens >= reserved.tokens ? seen : reserved);

/** Usage of a call that was taken from its owner: charged once, and nothing else follows from it. */
async function correct(
  world: World,
  itemId: string,
  callId: string,
  charge: Charge,
  tokens: CallTokens,
): Promise<void> {
  await issue(world, itemId, { type: 'CorrectCall', callId, charge, tokens }).catch((error) =>
    world.log('late usage not charged', { item: itemId, call: callId, error: String(error) }),
  );
}

async function prepare(world: World, call: StoredCall, model: string, signal: AbortSignal): Promise<Asked | undefined> {
  const { itemId, fence, callId, n, messages, estimate, body } = call;
  const requestHash = sha256Hex(body);
  const command = { type: 'PrepareCall', fence, callId, n, model, requestHash, estimate, messages } as const;
  return withRoom(world, itemId, signal, command, [body]);
}

/** Says a command of the journal; waits while others have reserved what is left of a budget (D26). */
async function withRoom(
  world: World,
  itemId: string,
  signal: AbortSignal,
  body: CommandBody,
  contents: readonly string[] = [],
): Promise<Asked | undefined> {
  for (;;) {
    const said = await persist(world, signal, () => issueWith(world, itemId, body, contents));
    if (!wasRefused(said)) {
      // The command that finds a budget used up holds the item instead (D26).
      return said.state.hold ? interrupted('item_held', said.state.hold.details) : undefined;
    }
    if (said.code !== 'budget_reserved') return refusal(said, world.now());
    await untilChanged(world, itemId, signal);
    if (signal.aborted) return interrupted('aborted', 'The Run was ended while it waited for room in the budget.');
  }
}

const FAILS: ReadonlySet<string> = new Set(['run_requests_exhausted', 'unpriced_model']);
const DAY_MS = 86_400_000;

function refusal({ code, message, next }: Rejection, now: number): Asked {
  const error = next === undefined ? message : `${message} ${next}`;
  if (FAILS.has(code)) return failed(code, error);
  if (code !== 'daily_limit') return interrupted(code, error);
  // Days of the counters begin at midnight UTC.
  return interrupted(code, error, { until: (Math.floor(now / DAY_MS) + 1) * DAY_MS, code, details: message });
}

type Found =
  | Readonly<{ kind: 'found'; provider: ResolvedProvider }>
  | Readonly<{ kind: 'failed'; code: string; error: string }>;

function providerFor(world: World, configuration: Configuration, model: string): Found {
  const ref = parseModelRef(model);
  const provider = ref.kind === 'failed' ? ref : providerOf(ref.provider, modelSettings(configuration), world.env);
  if (provider.kind === 'provider') return { kind: 'found', provider };
  const { code, expected, found, next } = provider;
  return { kind: 'failed', code, error: `Expected ${expected}, found ${found}. ${next}` };
}
