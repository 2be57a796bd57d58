import type { StoredEvent } from '../../src/core/index.ts';
import { callModel, decodeRequest } from '../../src/model/index.ts';
import { providerOf } from '../../src/model/providers.ts';
import type { CallRow } from '../../src/store/talk-rows.ts';
import type { Stage } from './agent-scenario.ts';

/**
 * What the model was really sent against what the store says was sent: the two books of one item. Every sentence that
 * comes back is a broken promise.
 */
export async function ledgerFlaws(stage: Stage): Promise<readonly string[]> {
  const { store } = stage.world;
  const calls = await store.calls(stage.item.id, { limit: 1_000 });
  const events = await store.events(stage.item.id, { limit: 10_000 });
  return [
    ...(await sendingFlaws(stage, calls)),
    ...calls.flatMap(rowFlaws),
    ...doubled(calls).map((key) => `asked twice: ${key}`),
    ...unaskedFlaws(events),
    ...(await chargeFlaws(stage, calls)),
  ];
}

/** The body that a stored request is sent as; the very path that the engine takes, into nowhere. */
async function wireBody({ world, options }: Stage, { requestHash, model }: CallRow): Promise<string> {
  const stored = await world.store.getContent(requestHash);
  const decoded = decodeRequest(Buffer.from(stored ?? []).toString('utf8'));
  const provider = providerOf(model.split('/')[0] ?? '', {}, options.env ?? {});
  if (decoded.kind !== 'decoded' || provider.kind !== 'provider') throw new Error(`call of ${model} cannot be read`);
  let body = '';
  const nowhere: typeof fetch = async (_, init) => {
    body = String(init?.body);
    throw new TypeError('nowhere');
  };
  await callModel(decoded.value, { provider, signal: new AbortController().signal, fetch: nowhere });
  return JSON.stringify(JSON.parse(body));
}

/** Byte for byte: nothing else than what was stored, and nothing more often than it was dispatched. */
async function sendingFlaws(stage: Stage, calls: readonly CallRow[]): Promise<readonly string[]> {
  const received = new Map<string, number>();
  for (const { body } of stage.model.requests) {
    const text = JSON.stringify(body);
    received.set(text, (received.get(text) ?? 0) + 1);
  }
  const allowed = new Map<string, { readonly least: number; readonly most: number }>();
  for (const call of calls) {
    const body = await wireBody(stage, call);
    const { least, most } = allowed.get(body) ?? { least: 0, most: 0 };
    allowed.set(body, { least: least + (call.status === 'responded' ? 1 : 0), most: most + call.tries });
  }
  const unknown = [...received.keys()].filter((body) => !allowed.has(body));
  const wrong = [...allowed].flatMap(([body, { least, most }]) => {
    const times = received.get(body) ?? 0;
    return times < least || times > most
      ? [`sent ${times} times, expected ${least}..${most}: ${body.slice(-200)}`]
      : [];
  });
  return [...unknown.map((body) => `sent, but stored nowhere: ${body.slice(-200)}`), ...wrong];
}

/** In a scenario in which the provider refuses nothing. */
const rowFlaws = ({ callId, status, tries }: CallRow): readonly string[] => [
  ...(tries > 1 ? [`call ${callId} was dispatched ${tries} times`] : []),
  ...(status === 'dispatching' || status === 'prepared' ? [`call ${callId} is still ${status}`] : []),
  ...(status === 'abandoned' && tries > 0 ? [`call ${callId} was dispatched, and counts as never sent`] : []),
];

function doubled(calls: readonly CallRow[]): readonly string[] {
  const keys = calls.map(({ ownerId, n }) => `${ownerId} ${n}`);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

/** After a lost answer, nothing of the same owner begins before a person has spoken (D11). */
function unaskedFlaws(events: readonly StoredEvent[]): readonly string[] {
  const blocked = new Set<string>();
  const flaws: string[] = [];
  let isLost = false;
  for (const { body, seq } of events) {
    if (body.type === 'CallSettled') isLost = body.as === 'unknown';
    if (body.type === 'TurnFailed' && isLost) blocked.add('turn');
    if (body.type === 'RunSettled' && body.run.status === 'unknown') blocked.add(body.actionId);
    if (body.type === 'RequestAnswered') blocked.clear();
    if (body.type === 'TurnOpened' && blocked.has('turn')) flaws.push(`event ${seq}: a turn opened unasked`);
    if (body.type === 'RunClaimed' && blocked.has(body.run.actionId)) flaws.push(`event ${seq}: a Run began unasked`);
  }
  return flaws;
}

async function chargeFlaws({ state }: Stage, calls: readonly CallRow[]): Promise<readonly string[]> {
  const { usage } = await state();
  const charged = calls.filter(({ chargedTokens }) => chargedTokens !== null);
  const tokens = charged.reduce((sum, call) => sum + (call.chargedTokens ?? 0), 0);
  const cost = charged.reduce((sum, call) => sum + (call.chargedCostMicros ?? 0), 0);
  const [is, should] = [
    [usage.requests, usage.tokens, usage.costMicros],
    [charged.length, tokens, cost],
  ];
  const sent = calls.filter(({ tries }) => tries > 0).length;
  return [
    ...(String(is) === String(should) ? [] : [`charged ${is}, its calls ${should}`]),
    ...(sent === charged.length ? [] : [`${sent} calls were sent, ${charged.length} charged`]),
  ];
}
