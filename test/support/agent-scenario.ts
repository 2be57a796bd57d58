import { goalOf, type HumanRequest, type ItemState, isVerify } from '../../src/core/index.ts';
import { openEngine, type World } from '../../src/engine/index.ts';
import { type Reply, type ScriptedModel, type ScriptedStep, startScriptedModel } from '../../src/testing.ts';
import { openRig, type Rig, until } from './rig.ts';
import { note } from './scenario.ts';
import { agent, call, commission, complete, create, decide, submit, write } from './scripted-agent.ts';
import { checkedBy, submitGoal } from './submit-goal.ts';
import type { WorldOptions } from './world.ts';

/** A goal on its way, with the model that serves it: the model lives here, whatever becomes of the engines. */
export interface Stage {
  readonly rig: Rig;
  readonly model: ScriptedModel;
  /** For reading, and for what a person does. */
  readonly world: World;
  readonly item: ItemState;
  /** What an engine needs in order to find the model. */
  readonly options: WorldOptions;
  state(): Promise<ItemState>;
  /** Ends the model, removes everything; answers how many processes had leaked. */
  close(): Promise<number>;
}

export interface StageWish {
  readonly steps?: (rig: Rig) => readonly ScriptedStep[];
  /** Called with the step that answers, before it does. */
  readonly onRequest?: (stepName: string | null) => void | Promise<void>;
  readonly options?: WorldOptions;
  /** Fields of the one Action. */
  readonly action?: Readonly<Record<string, unknown>>;
  /** Rules for tool calls. */
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

export const COORDINATOR = 'coordinator';
export const AGENT = 'agent';

/** The agent writes the file, does something outside that a person has to allow, and is done. */
const usualAgent = (rig: Rig): readonly ScriptedStep[] => [
  { ...agent(/Make a true/, write('a.txt', 'hello\n'), outside(rig), submit('Wrote a.txt.')), name: AGENT },
];

/** A shell line that leaves one line outside of every workspace. */
export const outside = (rig: Rig, more = ''): Reply => call('shell', { command: note(rig, 'outside') + more });

/** Decides by what is so, not by how often it was asked: after a crash it is asked again, or not. */
export const steadyCoordinator = (
  state: () => Promise<ItemState>,
  action: StageWish['action'] = { network: 'all' },
): ScriptedStep => ({
  name: COORDINATOR,
  when: { tools: ['decide'] },
  reply: async () => {
    const now = await state();
    const work = now.actions.filter((each) => !isVerify(each));
    const failed = work.filter(({ status }) => status === 'failed' || status === 'waiting');
    if (work.length === 0) return decide({ decisions: [create(commission('a', { for: ['c1'], ...action }))] });
    if (failed.length > 0 && now.runs.length === 0) return decide({ decisions: [guide(failed.map(({ id }) => id))] });
    if (goalOf(now).allProven && now.runs.length === 0) return decide({ decisions: [complete()] });
    return decide({ decisions: [{ kind: 'answer' }] });
  },
});

const guide = (ids: readonly string[]) => ({
  kind: 'guide_actions',
  guidance: ids.map((actionId) => ({ actionId, instruction: 'Go on where it ended.' })),
});

export async function openStage(wish: StageWish = {}): Promise<Stage> {
  const rig = await openRig({ 'README.md': 'A project.\n' });
  let load = async (): Promise<ItemState> => Promise.reject(new Error('nothing was submitted yet'));
  const model = await startScriptedModel(
    { name: 'one file', steps: [steadyCoordinator(() => load(), wish.action), ...(wish.steps ?? usualAgent)(rig)] },
    { onRequest: ({ stepName }) => wish.onRequest?.(stepName) },
  );
  const options = { ...wish.options, env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl } };
  const world = await rig.world(options);
  if (wish.rules) await world.store.writeSettings(0, { permissions: { rules: wish.rules } });
  const item = await submitGoal(world, rig.repo, {
    goal: 'Write a.txt',
    criteria: [checkedBy('c1', 'grep -q hello a.txt')],
  });
  load = async () => {
    const state = await world.store.load(item.id);
    if (!state) throw new Error(`item ${item.id} is gone`);
    return state;
  };
  const close = async (): Promise<number> => {
    await model.close();
    return rig.close();
  };
  return { rig, model, world, item, options, state: () => load(), close };
}

/** Requests to the model by the step that answered them. */
export const countOf = ({ model }: Stage, stepName: string): number =>
  model.requests.filter((request) => request.stepName === stepName).length;

/** What a person would say to it, who looks outside before they answer what happened there. */
async function choiceFor({ rig }: Stage, { subject }: HumanRequest) {
  switch (subject.kind) {
    case 'call_unknown':
      return 'ask_again';
    case 'tool_approval':
      return 'approve';
    case 'operation_unknown':
      return (await rig.noted()).length > 0 ? 'applied' : 'not_applied';
    case 'action_failed':
      return 'retry';
    default:
      return 'text';
  }
}

/** Answers one request; one that is gone meanwhile is left. */
export async function answer(stage: Stage, request: HumanRequest): Promise<void> {
  const choice = await choiceFor(stage, request);
  const body = {
    type: 'AnswerRequest',
    requestId: request.id,
    choice,
    text: choice === 'text' ? 'Go on.' : '',
  } as const;
  await stage.world.store.execute({ itemId: stage.item.id, principal: { kind: 'user', name: 'ada' }, body });
}

/** Answers every question until `over`. */
export async function attend(stage: Stage, over: () => boolean): Promise<void> {
  await until('nobody has to attend any more', async () => {
    const [request] = (await stage.state()).requests;
    if (request) await answer(stage, request);
    return over();
  });
}

/** A fresh engine of this process carries the item, a person attends, until it is over or held. */
export async function finish(stage: Stage, more: WorldOptions = {}): Promise<ItemState> {
  const engine = openEngine(await stage.rig.world({ ...stage.options, ...more }));
  try {
    await engine.start();
    await until('the item has ended', async () => {
      const state = await stage.state();
      const [request] = state.requests;
      if (request) await answer(stage, request);
      return state.lifecycle !== 'open' || state.hold !== undefined;
    });
    return await engine.untilSettled(stage.item.id);
  } finally {
    await engine.stop();
  }
}
