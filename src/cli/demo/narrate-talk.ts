import type { CallOwner, EventOf, ItemState, NewAction, StoredEvent } from '../../core/index.ts';
import { decodeRequest, decodeResponse, type ToolAnswer, type ToolCall } from '../../model/index.ts';
import type { Store } from '../../store/store.ts';
import { count, money } from '../render/money.ts';
import type { Paint } from '../render/paint.ts';
import { oneLine, shorten, wrapText } from '../render/text.ts';
import { plural } from '../render/words.ts';
import type { Narrator } from './carry-demo.ts';
import { narrate } from './narrate.ts';

const MOST_COLUMNS = 96;

const costSoFar = ({ usage: { requests, tokens, costMicros, unpriced } }: ItemState, paint: Paint): string => {
  const without = unpriced > 0 ? `, ${unpriced} of them unpriced` : '';
  return paint.dim(`  so far ${plural(requests, 'request')}${without}, ${count(tokens)} tokens, ${money(costMicros)}`);
};

/** Somebody's words, broken into lines that stand beneath who said them. */
const words = (text: string): readonly string[] =>
  wrapText(oneLine(text), MOST_COLUMNS - 4).map((line) => `    ${line}`);

function decidedLines(state: ItemState, body: EventOf<'TurnDecided'>, paint: Paint): readonly string[] {
  const what = body.kinds.map((kind) => kind.replaceAll('_', ' ')).join(', ');
  return [
    `${paint.violet('◆')} ${paint.bold('The Coordinator')} decides: ${what}`,
    ...(body.reply.trim() === '' ? [] : words(`"${body.reply}"`)),
    ...words(`because: ${body.reason}`),
    costSoFar(state, paint),
  ];
}

/** Only what a Coordinator commissioned: the engine's own verifications are told when they start. */
function addedLines({ id, spec }: NewAction): readonly string[] {
  if (spec.executor.kind === 'verify') return [];
  const who = spec.executor.kind === 'agent' ? spec.executor.vp : spec.executor.identity;
  return [`  + ${id}: ${spec.name} (${spec.type}, ${spec.workspace}, ${who})`];
}

const completedLines = ({ summary, residualRisks }: EventOf<'CompletionDecided'>): readonly string[] => [
  ...words(summary),
  ...residualRisks.flatMap((risk) => words(`remaining risk: ${risk}`)),
];

/** What a call is about: the input that says most, on one line. */
function subjectOf({ name, input }: ToolCall): string {
  if ('unparsable' in input) return '(no JSON)';
  const { command, path, pattern, operation, outcome, patch } = input;
  if (name === 'apply_patch') return /^\+\+\+ (?:b\/)?(\S+)/m.exec(String(patch))?.[1] ?? '';
  const said = [operation, outcome, pattern, command ?? path].filter((each) => typeof each === 'string');
  return said.join('  ');
}

const callLine = (actionId: string, call: ToolCall, paint: Paint): string =>
  shorten(`    ${paint.dim(actionId)}  ${paint.blue(call.name)}  ${oneLine(subjectOf(call))}`, MOST_COLUMNS);

/** How a command ended; of other tools only what went wrong. */
function resultLines(actionId: string, { name, text, isError }: ToolAnswer, paint: Paint): readonly string[] {
  const last = oneLine(text.trimEnd().split('\n').at(-1) ?? '').replace(/^\[(.*)\]$/, '$1');
  if (name !== 'shell' && !isError) return [];
  return [shorten(`    ${paint.dim(actionId)}    ${isError ? paint.red('→') : '→'} ${last}`, MOST_COLUMNS)];
}

const actionOf = (of: CallOwner): string | undefined => (of.kind === 'run' ? of.actionId : undefined);

async function bodyOf(store: Store, hash: string): Promise<string> {
  return Buffer.from((await store.getContent(hash)) ?? []).toString('utf8');
}

/** What the tools of the last answer said, as the next request carries it. */
async function preparedLines(
  store: Store,
  { call }: EventOf<'CallPrepared'>,
  paint: Paint,
): Promise<readonly string[]> {
  const actionId = actionOf(call.of);
  if (actionId === undefined) return [];
  const request = decodeRequest(await bodyOf(store, call.requestHash));
  const last = request.kind === 'decoded' ? request.value.messages.at(-1) : undefined;
  return last?.role === 'tool' ? last.results.flatMap((result) => resultLines(actionId, result, paint)) : [];
}

/** What the model of an agent wants done. */
async function answeredLines(
  store: Store,
  { id }: ItemState,
  { callId, responseHash }: { readonly callId: string; readonly responseHash: string },
  paint: Paint,
): Promise<readonly string[]> {
  const actionId = (await store.call(id, callId))?.actionId;
  if (actionId === null || actionId === undefined) return [];
  const response = decodeResponse(await bodyOf(store, responseHash));
  return response.kind === 'decoded' ? response.value.toolCalls.map((call) => callLine(actionId, call, paint)) : [];
}

/** Who decides and why, what agents do call by call, and the facts, as one event tells them. */
async function linesOf(store: Store, state: ItemState, event: StoredEvent, paint: Paint): Promise<readonly string[]> {
  const { body } = event;
  switch (body.type) {
    case 'TurnDecided':
      return decidedLines(state, body, paint);
    case 'TurnFailed':
      return [`${paint.red('✕')} The Coordinator could not decide: ${oneLine(body.error)}`];
    case 'ActionAdded':
      return addedLines(body.action);
    case 'CompletionDecided':
      return completedLines(body);
    case 'CallPrepared':
      return preparedLines(store, body, paint);
    case 'CallSettled':
      return body.as === 'responded' ? answeredLines(store, state, body, paint) : [];
    default:
      return narrate(state, event, paint);
  }
}

/** What a decision brings is committed before the decision itself; people want to hear it after. */
const BROUGHT: ReadonlySet<string> = new Set(['ActionAdded', 'CompletionDecided']);

/** The story of an item that a Coordinator carries. Remembers what is still to be told, so it is for one item. */
export function talkNarrator(store: Store, paint: Paint): Narrator {
  let brought: readonly string[] = [];
  return async (state, event) => {
    const lines = await linesOf(store, state, event, paint);
    if (BROUGHT.has(event.body.type)) {
      brought = [...brought, ...lines];
      return [];
    }
    if (event.body.type !== 'TurnDecided') return lines;
    const after = brought;
    brought = [];
    return [...lines, ...after];
  };
}
