import type { CommandOf, Decision, ItemState, MessageTarget, PlannedAction } from '../../src/core/index.ts';
import { ACTION_LIMITS, goalOf, isVerify } from '../../src/core/index.ts';
import { review, work } from '../core/coordinator.ts';
import { type Generators, maybeOld, OWNERS, pick, type Scene, words } from './scene.ts';
import { STUBBORN } from './submissions.ts';

/** What a person says, and what a Coordinator decides. */

/** The turn that is open, by an owner who holds it, held it, or never did. */
function turnOf(scene: Scene): { turnId: string; epoch: number; owner: string } {
  const { state, draw, spentTurns } = scene;
  const { turn } = state.coordinator;
  if (!turn || draw.chance(4))
    return spentTurns.length > 0 ? draw.of(spentTurns) : { turnId: 'nobody', epoch: 1, owner: 'w1' };
  return { turnId: turn.id, epoch: maybeOld(scene, turn.epoch), owner: draw.chance(3) ? 'thief' : turn.owner };
}

const PURPOSES = ['implement', 'implement', 'test', 'research', 'deliver', 'made_up'] as const;

/** An Action for something that is still open; now and then for something that is not. */
function commission({ state, draw, fresh }: Scene): PlannedAction {
  const id = `n${fresh()}`;
  const { criteria } = state.contract;
  const open = goalOf(state).criteria.filter(({ standing, proof }) => standing !== 'passed' || proof === 'self');
  const among = open.length > 0 && draw.chance(95) ? open.map(({ criterion }) => criterion) : criteria;
  const cited = among.filter(() => draw.chance(60)).map((criterion) => criterion.id);
  const forDelivery = cited.length === 0;
  if (state.contract.title !== STUBBORN && draw.chance(30)) return review(id, { for: cited, forDelivery });
  const conflicted = state.actions.filter(({ merge }) => merge.kind === 'conflict').map((action) => action.id);
  const joins = conflicted.length > 0 && draw.chance(60);
  const place = joins ? ({ workspace: 'integrate', dependsOn: conflicted } as const) : {};
  const outside = draw.chance(5) ? ({ effects: 'external' } as const) : {};
  const command = { kind: 'command', run: `./${id}`, identity: id } as const;
  const executor = draw.chance(25) ? { executor: command } : {};
  const type = state.contract.title === STUBBORN ? 'made_up' : draw.of(PURPOSES);
  return work(id, { type, for: cited, forDelivery, ...place, ...outside, ...executor });
}

const movable = (state: ItemState): readonly string[] =>
  state.actions
    .filter((action) => !isVerify(action) && ['ready', 'waiting', 'failed'].includes(action.status))
    .map(({ id }) => id);

type Make = (scene: Scene) => Decision | undefined;

function toSome(scene: Scene): readonly string[] {
  const { state, draw } = scene;
  const able = draw.chance(92) ? movable(state) : state.actions.map(({ id }) => id);
  return able.filter(() => draw.chance(50)).slice(0, 3);
}

const propose: Make = (scene) => {
  const { state, draw, fresh } = scene;
  const [first, ...rest] = state.contract.criteria;
  if (!first) return undefined;
  const changes = [
    { goal: `goal ${fresh()}` },
    { criteria: [{ ...first, text: `text ${fresh()}` }, ...rest] },
    { title: `title ${fresh()}` },
    { instructions: `instructions ${fresh()}` },
    { delivery: { target: 'response' } as const },
  ];
  return { kind: 'propose_contract', contract: { ...state.contract, ...draw.of(changes) } };
};

const MAKES: Readonly<Record<Decision['kind'], Make>> = {
  answer: () => ({ kind: 'answer' }),
  create_actions: (scene) => {
    const actions = [commission(scene), ...(scene.draw.chance(40) ? [commission(scene)] : [])];
    return { kind: 'create_actions', actions, supersede: scene.draw.chance(15) ? toSome(scene) : [] };
  },
  guide_actions: (scene) => {
    const guidance = toSome(scene).map((actionId) => ({ actionId, instruction: words(scene, 'so') }));
    return guidance.length > 0 ? { kind: 'guide_actions', guidance } : undefined;
  },
  close_actions: (scene) => {
    const closures = toSome(scene).map((actionId) => ({ actionId, reason: words(scene, 'not needed') }));
    return closures.length > 0 ? { kind: 'close_actions', closures } : undefined;
  },
  request_human: (scene) => ({ kind: 'request_human', question: words(scene, 'Which?'), options: ['this', 'that'] }),
  propose_contract: propose,
  complete: () => ({ kind: 'complete', summary: 'All is done.', residualRisks: ['it may rain'] }),
};

const isFinished = (state: ItemState): boolean => goalOf(state).allProven && movable(state).length === 0;

/** Mostly what would take the item further, now and then anything. */
function kindsFor({ state, draw }: Scene): readonly Decision['kind'][] {
  const all = Object.keys(MAKES) as Decision['kind'][];
  if (draw.chance(15)) return [draw.of(all), draw.of(all)];
  if (state.contract.title === STUBBORN && draw.chance(80)) return ['create_actions'];
  if (isFinished(state)) return draw.chance(80) ? ['complete'] : ['create_actions'];
  const spoken = state.coordinator.turn?.origin === 'user';
  if (spoken && draw.chance(35))
    return draw.of([['answer'], ['propose_contract'], ['answer', 'create_actions']] as const);
  const stuck = movable(state).length > 0;
  if (stuck && draw.chance(50)) return [draw.of(['guide_actions', 'close_actions'] as const)];
  return [draw.chance(85) ? 'create_actions' : 'request_human'];
}

function decide(scene: Scene): CommandOf<'Decide'> {
  const decisions = kindsFor(scene).flatMap((kind) => MAKES[kind](scene) ?? []);
  const reply = words(scene, 'So be it.');
  const title = scene.draw.chance(5) ? { title: 'A new title' } : {};
  return { type: 'Decide', ...turnOf(scene), decisions, reply, reason: 'It is next.', ...title };
}

function fail(scene: Scene): CommandOf<'FailTurn'> {
  const { draw } = scene;
  const park = draw.chance(15) ? { park: { until: scene.now + 30_000, code: 'quota', details: 'later' } } : {};
  const failure = { code: 'invalid_decision', error: 'no', counted: draw.chance(60), permanent: draw.chance(4) };
  return { type: 'FailTurn', ...turnOf(scene), ...failure, ...park };
}

function messageTo(scene: Scene): MessageTarget {
  const { draw, state } = scene;
  const hears = pick(scene, state.actions, ({ status }) => status === 'running' || status === 'waiting');
  return hears && draw.chance(50)
    ? { kind: 'action', actionId: draw.chance(3) ? 'nobody' : hears.id }
    : { kind: 'coordinator' };
}

function post(scene: Scene): CommandOf<'PostMessage'> {
  const { draw, fresh } = scene;
  const file = { name: `f${fresh()}.txt`, hash: 'h', bytes: 10, mediaType: 'text/plain' };
  const attachments = draw.chance(5) ? [draw.chance(30) ? { ...file, name: '../f' } : file] : [];
  const quote = draw.chance(5) ? { quote: { from: 'the log', text: 'x' } } : {};
  const generation = draw.chance(4) ? { generation: 0 } : {};
  return {
    type: 'PostMessage',
    target: messageTo(scene),
    text: words(scene, 'listen'),
    attachments,
    ...quote,
    ...generation,
  };
}

type Talk = 'OpenTurn' | 'AdoptTurn' | 'Decide' | 'FailTurn' | 'PostMessage' | 'ResolveOperation';

export const TALK: Generators<Talk> = {
  OpenTurn: (scene) => {
    const { epoch } = scene.state.coordinator;
    const next = scene.draw.chance(6) ? epoch - 1 : epoch + 1;
    return { type: 'OpenTurn', turnId: `t${scene.fresh()}`, epoch: next, owner: scene.draw.of(OWNERS) };
  },
  AdoptTurn: (scene) => {
    const turn = turnOf(scene);
    return { type: 'AdoptTurn', ...turn, epoch: turn.epoch + scene.draw.below(3), owner: scene.draw.of(OWNERS) };
  },
  Decide: decide,
  FailTurn: fail,
  PostMessage: post,
  ResolveOperation: (scene) => {
    const known = pick(scene, scene.state.operations, ({ effect }) => effect === 'unknown');
    const effect = scene.draw.of(['applied', 'not_applied'] as const);
    const operationId = scene.draw.chance(5) ? 'none' : (known?.id ?? 'none');
    const reason = scene.draw.chance(5) ? 'x'.repeat(ACTION_LIMITS.guidanceChars + 1) : 'I looked.';
    return { type: 'ResolveOperation', operationId, effect, reason };
  },
};
