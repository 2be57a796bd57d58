import {
  CHOICES,
  type CommandBody,
  type CommandType,
  type ItemState,
  isRejection,
  type Rejection,
  type RejectionCode,
} from '../../src/core/index.ts';
import type { Executed } from '../../src/store/index.ts';
import { EVENT_TYPES } from '../../src/store/upcast.ts';
import { COMMAND_TYPES } from './commands.ts';

/** Refusals that no sequence of commands to a healthy store can lead to. */
type Unreachable = 'store_busy' | 'item_quarantined';

const CODES: Readonly<Record<Exclude<RejectionCode, Unreachable>, true>> = {
  item_exists: true,
  item_not_found: true,
  action_not_found: true,
  request_not_found: true,
  user_required: true,
  invalid_contract: true,
  invalid_plan: true,
  invalid_field: true,
  choice_not_offered: true,
  contract_version_stale: true,
  generation_stale: true,
  control_version_stale: true,
  head_stale: true,
  lease_lost: true,
  not_runnable: true,
  item_held: true,
  item_not_open: true,
  item_ended: true,
  wrong_state: true,
  nothing_changed: true,
  lease_live: true,
  already_dispatched: true,
  not_dispatched: true,
  budget_exhausted: true,
  landing_in_progress: true,
  not_deliverable: true,
  concurrency_full: true,
  workspace_busy: true,
  must_run_alone: true,
  idempotency_mismatch: true,
  operation_not_found: true,
  no_decision_due: true,
  invalid_decision: true,
  no_coordinator: true,
  cannot_receive: true,
  messages_pending: true,
  approval_needed: true,
  call_not_found: true,
  budget_reserved: true,
  run_requests_exhausted: true,
  daily_limit: true,
  unpriced_model: true,
};

/** What happened how often, under names such as `Claim accepted`, `refused lease_lost`, `answered replan: retain`. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  readonly count: (name: string) => void;
  readonly command: (before: ItemState | undefined, body: CommandBody, answer: Executed | Rejection) => void;
  /** What never happened, of everything that can. */
  readonly missing: () => readonly string[];
}

const WANTED: readonly string[] = [
  ...COMMAND_TYPES.flatMap((type) => [`${type} accepted`, `${type} refused`]),
  ...Object.keys(CODES).map((code) => `refused ${code}`),
  ...Object.keys(EVENT_TYPES).map((type) => `event ${type}`),
  ...Object.entries(CHOICES).flatMap(([kind, choices]) => choices.map((choice) => `answered ${kind}: ${choice}`)),
  ...['replayed', 'snapshot', 'ended done', 'ended cancelled'],
];

export function newTally(): Tally {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    counts,
    count,
    command: (before, body, answer) => {
      if (isRejection(answer)) {
        count(`${body.type} refused`);
        count(`refused ${answer.code}`);
        return;
      }
      count(answer.replayed ? 'replayed' : `${body.type} accepted`);
      if (answer.replayed) return;
      for (const event of answer.events) count(`event ${event.body.type}`);
      if (body.type !== 'AnswerRequest') return;
      const request = before?.requests.find(({ id }) => id === body.requestId);
      count(`answered ${request?.subject.kind}: ${body.choice}`);
    },
    missing: () => WANTED.filter((name) => !counts.has(name)),
  };
}

const line = (type: CommandType, { counts }: Tally): string => {
  const [accepted, refused] = ['accepted', 'refused'].map((end) => `${counts.get(`${type} ${end}`) ?? 0}`.padStart(8));
  return `${type.padEnd(18)}${accepted}${refused}`;
};

/** Accepted and refused per kind, then everything else that was counted. */
export function sayTally(tally: Tally): string {
  const others = [...tally.counts].filter(([name]) => !/^\w+ (accepted|refused)$/.test(name)).sort();
  return [
    `${'command'.padEnd(18)}accepted refused`,
    ...COMMAND_TYPES.map((type) => line(type, tally)),
    ...others.map(([name, times]) => `${`${times}`.padStart(8)}  ${name}`),
  ].join('\n');
}
