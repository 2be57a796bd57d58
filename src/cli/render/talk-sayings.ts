import type { EventOf, ResetCause } from '../../core/event.ts';
import type { Operation } from '../../core/model/item.ts';
import type { CallOwner, Charge } from '../../core/model/model-call.ts';
import { count, money } from './money.ts';
import { type Said, type Sayings, say, type Telling } from './said.ts';
import { oneLine } from './text.ts';
import { duration, iso } from './when.ts';
import { shortCommit } from './words.ts';

const MOST = 200;

/** Somebody's words, cut to what a line can hold. */
export const words = (text: string, most = MOST): string => {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

const fullStop = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

const files = (count: number): string => (count === 0 ? '' : ` (${count} attached)`);

function sayMessage({ message, target }: EventOf<'MessagePosted'>): Said {
  const to = target.kind === 'coordinator' ? 'the Coordinator' : target.actionId;
  return say(`${message.id} to ${to}: ${words(message.text)}${files(message.attachments.length)}`);
}

function sayDecided({ kinds, reply, reason }: EventOf<'TurnDecided'>): Said {
  const what = kinds.map((kind) => kind.replaceAll('_', ' ')).join(', ');
  const answer = reply.trim() === '' ? '' : ` “${words(reply)}”`;
  return say(`The Coordinator: ${what}.${answer} Because: ${words(reason)}`);
}

function sayFailed({ code, error, counted, retryAt }: EventOf<'TurnFailed'>, at: number): Said {
  const again = retryAt > at ? ` It tries again in ${duration(retryAt - at)}.` : '';
  return say(
    `The Coordinator could not decide (${code}${counted ? '' : ', not counted'}): ${fullStop(words(error))}${again}`,
    'bad',
  );
}

const ownerName = (of: CallOwner): string => (of.kind === 'run' ? of.actionId : 'Coordinator');

const chargeText = ({ tokens, costMicros }: Charge): string =>
  `${count(tokens)} tokens, ${costMicros === null ? 'unpriced' : money(costMicros)}`;

function sayPrepared({ call }: EventOf<'CallPrepared'>, telling: Telling): Said {
  const name = `${ownerName(call.of)}, request ${call.n}`;
  telling.calls.set(call.id, name);
  return say(`${name}: for ${call.model}, at most ${chargeText(call.estimate)}.`, 'silent');
}

function sayCall(body: EventOf<'CallSettled'>, telling: Telling): Said {
  const name = telling.calls.get(body.callId) ?? body.callId;
  switch (body.as) {
    case 'responded':
      return say(`${name}: answered, ${chargeText(body.charge)}.`, 'quiet');
    case 'rejected':
      return say(`${name}: not taken by the provider (${body.code}), nothing charged. ${words(body.error)}`, 'quiet');
    case 'unknown':
      return say(
        `${name}: sent, and nobody knows how it ended (${body.code}); ${chargeText(body.charge)} charged.`,
        'bad',
      );
  }
}

export const EFFECT: Readonly<Record<Operation['effect'], string>> = {
  pending: 'is happening',
  applied: 'took effect',
  not_applied: 'did not take effect',
  unknown: 'may or may not have taken effect',
};

/** What makes an Action ready again by somebody's word. */
export const RESET_BY_WORD: Readonly<Record<Extract<ResetCause, 'message' | 'approval' | 'guide'>, string>> = {
  message: 'is to run again, because a person wrote to it',
  approval: 'is to run again, now that an approval was answered',
  guide: 'is to run again, guided by the Coordinator',
};

type TalkType =
  | ('MessagePosted' | 'TurnOpened' | 'TurnAdopted' | 'TurnDecided' | 'TurnFailed' | 'TurnRetired')
  | ('CompletionDecided' | 'CompletionVoided' | 'PullRequestOpened' | 'ItemParked')
  | ('CallPrepared' | 'CallDispatched' | 'CallSettled' | 'CallCorrected')
  | ('OperationBegun' | 'OperationResolved' | 'GrantGiven' | 'GrantUsed' | 'RunIdled');

/** What people and models say, and what it sets in motion, each in one plain sentence. */
export const TALK_SAYINGS: Sayings<TalkType> = {
  MessagePosted: sayMessage,
  TurnOpened: ({ turn }) => {
    const why = turn.origin === 'user' ? 'somebody spoke' : 'facts are new';
    return say(`The Coordinator begins to decide, because ${why}.`, 'quiet');
  },
  TurnAdopted: () => say('Another engine goes on with the decision.', 'quiet'),
  TurnDecided: sayDecided,
  TurnFailed: (body, _telling, at) => sayFailed(body, at),
  TurnRetired: ({ reason }) => say(`The decision is not wanted any more: ${words(reason)}`, 'quiet'),
  CompletionDecided: ({ summary }) => say(`The Coordinator finds it complete: ${words(summary)}`, 'good'),
  CompletionVoided: ({ reason }) => say(`Not complete after all: ${words(reason)}`),
  PullRequestOpened: ({ pull }) => say(`Pull request ${pull.url} at ${shortCommit(pull.commit)}.`, 'good'),
  ItemParked: ({ parked }) =>
    say(`Parked until ${iso(parked.until)} (${parked.code}): ${words(parked.details)}`, 'ask'),
  CallPrepared: sayPrepared,
  CallDispatched: ({ callId }, telling) => say(`${telling.calls.get(callId) ?? callId}: sent.`, 'silent'),
  CallSettled: sayCall,
  CallCorrected: ({ callId, charge }, telling) =>
    say(`${telling.calls.get(callId) ?? callId}: its real use became known, ${chargeText(charge)}.`, 'quiet'),
  OperationBegun: ({ operation }) => say(`${operation.actionId} acts outside: ${words(operation.what)}`),
  OperationResolved: ({ operationId, effect }) =>
    say(`${operationId} ${EFFECT[effect]}.`, effect === 'unknown' ? 'bad' : 'plain'),
  GrantGiven: ({ actionId, grant }) =>
    say(
      `${actionId} was allowed ${grant.pattern === undefined ? 'one call' : `every call like ${words(grant.pattern)}`}.`,
    ),
  GrantUsed: ({ actionId }) => say(`${actionId} used its leave.`, 'silent'),
  RunIdled: ({ runId, idle }, telling) => {
    const who = telling.runs.get(runId)?.actionId ?? runId;
    return say(`${who} ${idle ? 'waits for an approval and gives its slot away' : 'goes on'}.`, 'quiet');
  },
};
