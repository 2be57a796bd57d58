import { isDeliverable, mergesDue, needsLanding, needsPullRequest } from '../derive/index.ts';
import type { EventBody } from '../event.ts';
import { CHOICES, type HumanRequest, type ItemState } from '../model/index.ts';
import { type Rejection, reject } from '../rejection.ts';
import { fencedAction, type Handlers, isAction, openRequest } from './handler.ts';

const staleHead = ({ branch }: ItemState, expected: string): Rejection | undefined =>
  branch.head === expected
    ? undefined
    : reject('head_stale', 'The item branch has moved.', { expected, found: branch.head });

const notDeliverable = ({ id }: ItemState, what: string): Rejection =>
  reject('not_deliverable', `Item ${id} has no ${what}.`);

/** A question that only delivery can know of; a merge that is blocked may be given up for the branch alone. */
function ask(state: ItemState, what: Pick<HumanRequest, 'question' | 'details'>, code: string, at: number): EventBody {
  const { target } = state.contract.delivery;
  const mayUseBranch = (target === 'merge' && code.startsWith('landing')) || target === 'pull_request';
  const choices = CHOICES.delivery_blocked.filter(
    (choice) => choice !== 'response' && (mayUseBranch || choice !== 'branch_only'),
  );
  const { question, details } = what;
  const subject = { kind: 'delivery_blocked', code } as const;
  return openRequest(state, { kind: 'recovery', subject, question, details, choices }, at);
}

type BranchCommand =
  | ('RecordMerge' | 'RecordSync' | 'RecordPublish' | 'RecordPullRequest')
  | ('BlockDelivery' | 'BeginLanding' | 'SettleLanding');

/** The engine's own steps: repeated after a crash, each finds its own earlier effect and changes nothing (D32). */
export const BRANCH_HANDLERS: Handlers<BranchCommand> = {
  RecordMerge(state, { actionId, generation, expectedHead, result }) {
    const action = fencedAction(state, actionId, generation);
    if (!isAction(action)) return action;
    const stale = staleHead(state, expectedHead);
    if (stale) return stale;
    if (!mergesDue(state).includes(action)) return reject('wrong_state', `Action ${actionId} has nothing to merge.`);
    const { kind, ...what } = result;
    if ('paths' in what) return [{ type: 'MergeConflicted', actionId, generation, ...what }];
    return [{ type: 'ResultMerged', actionId, generation, ...what, wrote: what.head !== state.branch.head }];
  },
  RecordSync(state, { expectedHead, head, targetHead }) {
    const stale = staleHead(state, expectedHead);
    if (stale) return stale;
    const fits = state.lifecycle === 'open' && state.landing.kind !== 'reserved';
    if (!fits) return reject('wrong_state', `Item ${state.id} cannot take in its target now.`);
    return [{ type: 'TargetSynced', head, targetHead }];
  },
  RecordPublish(state, { ref, commit }) {
    const fits = isDeliverable(state) && commit === state.branch.head;
    return fits ? [{ type: 'ResultPublished', ref, commit }] : notDeliverable(state, `proven result at ${commit}`);
  },
  /** Only a pull request at exactly the proven commit is delivery (D25). */
  RecordPullRequest(state, { pull }) {
    const fits = isDeliverable(state) && needsPullRequest(state) && pull.commit === state.branch.head;
    return fits ? [{ type: 'PullRequestOpened', pull }] : notDeliverable(state, `proven result at ${pull.commit}`);
  },
  BlockDelivery: (state, body, ctx) =>
    isDeliverable(state) ? [ask(state, body, body.code, ctx.now)] : notDeliverable(state, 'delivery to block'),
  /** The reservation (INT-1): only a commit whose checks all passed is delivered (D25). */
  BeginLanding(state, { commit }) {
    const { branch } = state.contract.delivery;
    const fits = isDeliverable(state) && needsLanding(state) && commit === state.branch.head;
    if (state.landing.kind === 'reserved' || !fits || branch === undefined) {
      return notDeliverable(state, `result to land at ${commit}`);
    }
    return [{ type: 'LandingReserved', epoch: state.landingEpoch + 1, commit, branch }];
  },
  SettleLanding(state, { epoch, result }, ctx) {
    if (state.landing.kind !== 'reserved' || state.landing.epoch !== epoch) {
      return reject('wrong_state', `No landing of ${state.id} is reserved at epoch ${epoch}.`);
    }
    if (result.kind === 'landed') return [{ type: 'LandingSettled', landed: true, code: 'landed', detail: '' }];
    const detail = result.kind === 'blocked' ? result.question : result.detail;
    const settled: EventBody = { type: 'LandingSettled', landed: false, code: result.code, detail };
    const asks = result.kind === 'blocked' && state.lifecycle === 'open';
    return asks ? [settled, ask(state, result, `landing_${result.code}`, ctx.now)] : [settled];
  },
};
