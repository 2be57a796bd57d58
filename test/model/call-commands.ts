import type { CallFence, Charge, CommandOf, LiveRun, OpenCall } from '../../src/core/index.ts';
import { TOKENS } from '../core/coordinator.ts';
import { fenceOf, type Generators, maybeOld, pick, type Scene } from './scene.ts';

/** What agents and turns do beside ending: ask models, act outside, ask for leave. */

/** More than a day allows (see `twins.ts`). */
const HUGE: Charge = { tokens: 2_000_000, costMicros: 1 };
const CHARGES: readonly Charge[] = [
  { tokens: 100, costMicros: 100_000 },
  { tokens: 100, costMicros: 100_000 },
  { tokens: 300, costMicros: 300_000 },
  { tokens: 50, costMicros: null },
];

const isAgent = ({ state }: Scene, run: LiveRun): boolean =>
  state.actions.some(({ id, spec }) => id === run.actionId && spec.executor.kind === 'agent');

function turnFence(scene: Scene): CallFence | undefined {
  const { turn } = scene.state.coordinator;
  return turn && { kind: 'turn', turnId: turn.id, epoch: maybeOld(scene, turn.epoch), owner: turn.owner };
}

const runFence = (scene: Scene): CallFence => ({
  kind: 'run',
  run: fenceOf(scene, (run) => run.dispatched && isAgent(scene, run)),
});

function anyFence(scene: Scene): CallFence {
  const ofTurn = scene.draw.chance(40) ? turnFence(scene) : undefined;
  return ofTurn ?? runFence(scene);
}

/** The owner of a call, as it speaks for it. */
function fenceFor(scene: Scene, call: OpenCall): CallFence {
  if (call.of.kind === 'turn') return turnFence(scene) ?? runFence(scene);
  const { runId } = call.of;
  return { kind: 'run', run: fenceOf(scene, ({ id }) => id === runId) };
}

function toCall(scene: Scene, ...wanted: readonly OpenCall['status'][]): { fence: CallFence; callId: string } {
  const call = scene.draw.chance(3)
    ? undefined
    : pick(scene, scene.state.calls, ({ status }) => wanted.includes(status));
  if (!call) return { fence: anyFence(scene), callId: 'none' };
  return { fence: fenceFor(scene, call), callId: call.id };
}

function prepare(scene: Scene): CommandOf<'PrepareCall'> {
  const { draw, state, fresh } = scene;
  const fence = anyFence(scene);
  const run = fence.kind === 'run' ? state.runs.find(({ id }) => id === fence.run.runId) : undefined;
  const said = state.actions.find(({ id }) => id === run?.actionId)?.messages.length ?? 0;
  const n = run ? run.requests + 1 : state.calls.filter(({ of }) => of.kind === 'turn').length + 1;
  const messages = draw.chance(4) ? said + 1 : draw.chance(15) ? (run?.messagesHeard ?? 0) : said;
  const estimate = draw.chance(3) ? HUGE : draw.of(CHARGES);
  const request = { model: 'scripted/one', requestHash: `h${fresh()}`, estimate };
  return { type: 'PrepareCall', fence, callId: `k${fresh()}`, n, messages, ...request };
}

function verdict({ draw }: Scene): CommandOf<'SettleCall'>['verdict'] {
  const charge = draw.of(CHARGES);
  if (draw.chance(15)) return { as: 'rejected', code: 'overloaded', error: '529' };
  if (draw.chance(12)) return { as: 'unknown', code: 'broken', error: 'cut', charge };
  return { as: 'responded', responseHash: 'answer', charge, tokens: TOKENS, stop: 'end' };
}

const ownOperation = (scene: Scene, runId: string): string =>
  pick(scene, scene.state.operations, (known) => known.runId === runId && known.effect === 'pending')?.id ?? 'none';

/** Keys of calls that need leave: few, so that the same is asked again. */
const KEYS = ['key-1', 'key-2', 'key-3'] as const;

function keyFor(scene: Scene, runId: string): string {
  const grants = scene.state.actions.find((action) => action.runId === runId)?.grants ?? [];
  return grants.length > 0 && scene.draw.chance(80) ? scene.draw.of(grants).key : scene.draw.of(KEYS);
}

type Work =
  | ('PrepareCall' | 'DispatchCall' | 'SettleCall' | 'MarkCallUnknown' | 'CorrectCall')
  | ('BeginOperation' | 'EndOperation' | 'AskApproval' | 'UseGrant' | 'WakeRun');

export const CALLS: Generators<Work> = {
  PrepareCall: prepare,
  DispatchCall: (scene) => ({ type: 'DispatchCall', ...toCall(scene, 'prepared', 'rejected') }),
  SettleCall: (scene) => ({ type: 'SettleCall', ...toCall(scene, 'dispatching'), verdict: verdict(scene) }),
  MarkCallUnknown: (scene) => ({ type: 'MarkCallUnknown', ...toCall(scene, 'dispatching') }),
  CorrectCall: (scene) => {
    const known = scene.draw.chance(10) ? undefined : pick(scene, scene.state.uncertain, () => true);
    return { type: 'CorrectCall', callId: known?.id ?? 'none', charge: scene.draw.of(CHARGES), tokens: TOKENS };
  },
  BeginOperation: (scene) => {
    const fence = fenceOf(scene, (run) => run.dispatched && isAgent(scene, run));
    const grant = scene.draw.chance(40) ? { grant: keyFor(scene, fence.runId) } : {};
    return { type: 'BeginOperation', fence, operationId: `o${scene.fresh()}`, what: 'push', tool: 'shell', ...grant };
  },
  EndOperation: (scene) => {
    const fence = fenceOf(scene, (run) => scene.state.operations.some(({ runId }) => runId === run.id));
    const effect = scene.draw.of(['applied', 'applied', 'not_applied', 'unknown'] as const);
    return { type: 'EndOperation', fence, operationId: ownOperation(scene, fence.runId), effect };
  },
  AskApproval: (scene) => {
    const fence = fenceOf(scene, (run) => run.dispatched && isAgent(scene, run));
    const pattern = scene.draw.chance(90) ? '"git push *"' : '';
    const approval = { tool: 'shell', call: 'git push', directory: '/repo', key: scene.draw.of(KEYS), pattern };
    return { type: 'AskApproval', fence, approval, risk: 'it acts outside' };
  },
  UseGrant: (scene) => {
    const granted = (run: LiveRun): boolean =>
      scene.state.actions.some(({ id, grants }) => id === run.actionId && grants.length > 0);
    const fence = fenceOf(scene, granted);
    return { type: 'UseGrant', fence, key: keyFor(scene, fence.runId) };
  },
  WakeRun: (scene) => ({ type: 'WakeRun', fence: fenceOf(scene, ({ idle }) => idle) }),
};
