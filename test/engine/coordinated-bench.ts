import { readFile } from 'node:fs/promises';
import { itemText } from '../../src/cli/render/item.ts';
import { PLAIN } from '../../src/cli/render/paint.ts';
import { runText } from '../../src/cli/render/run.ts';
import { eventLine, newTelling } from '../../src/cli/render/timeline.ts';
import { itemReport } from '../../src/cli/report.ts';
import { type CommandBody, dueAt, type ItemState } from '../../src/core/index.ts';
import { type Engine, type LiveText, openEngine, type World, wasRefused } from '../../src/engine/index.ts';
import { runFiles } from '../../src/executors/command/run-files.ts';
import {
  type ModelMessage,
  type Reply,
  type ScriptedModel,
  type ScriptedStep,
  startScriptedModel,
} from '../../src/testing.ts';
import { openRig, type Rig, until } from '../support/rig.ts';
import { type Goal, submitGoal } from '../support/submit-goal.ts';

export interface GoalBenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly ScriptedStep[];
  /** Beside the usual environment of the engine. */
  readonly env?: Readonly<Record<string, string>>;
  readonly sandbox?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly liveText?: LiveText;
}

/** What a person can see of an item in the end. */
export interface Seen {
  readonly state: ItemState;
  /** What `show` prints. */
  readonly page: string;
  /** What `log` prints. */
  readonly log: string;
  /** What `show --run` prints, of every Run, newest first. */
  readonly runs: string;
  /** What `show --json` holds. */
  readonly json: string;
  /** The transcripts of all Runs. */
  readonly transcripts: string;
}

/** A goal, a repository, a scripted model and a running engine, in a directory of their own. */
export interface GoalBench {
  readonly rig: Rig;
  readonly world: World;
  readonly model: ScriptedModel;
  readonly engine: Engine;
  submit(wish: Goal): Promise<ItemState>;
  /** Waits until only a person can move it, and looks. Waiting times of the engine pass at once. */
  settled(id: string): Promise<Seen>;
  /** Submits, carries and looks. */
  carry(wish: Goal): Promise<Seen>;
  /** A command of a person; a refusal throws its own sentence. */
  tell(id: string, body: CommandBody): Promise<ItemState>;
  /** The same; answers the code of the refusal, or `taken`. */
  ask(id: string, body: CommandBody): Promise<string>;
  look(id: string): Promise<Seen>;
  /** Epoch milliseconds by the clock of engine and store; `pass` moves it. */
  now(): number;
  pass(ms: number): void;
  /** Resolves when the engine has polled so many times more. */
  ticks(count: number): Promise<void>;
  /** Resolves when no Run of the item is live and no turn is open. */
  idle(id: string): Promise<void>;
  close(): Promise<void>;
}

const PERSON = { kind: 'user', name: 'ada' } as const;
const SHORT_WAIT_MS = 60_000;

export async function openGoalBench(options: GoalBenchOptions): Promise<GoalBench> {
  const { files = { 'README.md': 'A project.\n' }, steps, env = {}, sandbox = false } = options;
  const rig = await openRig(files);
  const model = await startScriptedModel({ name: 'liars', steps });
  let aheadMs = 0;
  let beats = 0;
  const now = () => Date.now() + aheadMs;
  const opened = await rig.world({
    env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl, ...env },
    sandbox,
    store: { now },
    wrap: (store) => ({
      ...store,
      heartbeat: (worker) => {
        beats += 1;
        return store.heartbeat(worker);
      },
    }),
  });
  const world: World = { ...opened, now };
  if (options.settings) await world.store.writeSettings(0, options.settings);
  // A back-off of seconds is not what these tests are about.
  const stopSkipping = world.store.onCommit((state) => {
    const waitMs = (dueAt(state) ?? 0) - now();
    if (waitMs > 0 && waitMs < SHORT_WAIT_MS) aheadMs += waitMs;
  });
  const engine = openEngine(world, options.liveText ? { liveText: options.liveText } : {});
  await engine.start();
  const execute = (itemId: string, body: CommandBody) => world.store.execute({ itemId, principal: PERSON, body });
  const bench: GoalBench = {
    rig,
    world,
    model,
    engine,
    submit: (wish) => submitGoal(world, rig.repo, wish),
    async settled(id) {
      await engine.untilSettled(id);
      return look(world, id);
    },
    carry: async (wish) => bench.settled((await bench.submit(wish)).id),
    async tell(id, body) {
      const said = await execute(id, body);
      if (wasRefused(said)) throw new Error(`${body.type}: ${said.code} ${said.message} ${said.found ?? ''}`);
      return said.state;
    },
    async ask(id, body) {
      const said = await execute(id, body);
      return wasRefused(said) ? said.code : 'taken';
    },
    look: (id) => look(world, id),
    now,
    pass: (ms) => {
      aheadMs += ms;
    },
    async ticks(count) {
      const end = beats + count;
      await until('the engine has polled', () => beats >= end);
    },
    async idle(id) {
      await until('nothing is under way', async () => {
        const state = await world.store.load(id);
        return state?.runs.length === 0 && state.coordinator.turn === undefined;
      });
    },
    async close() {
      stopSkipping();
      await engine.stop();
      await model.close();
      const leaked = await rig.close();
      if (leaked > 0) throw new Error(`${leaked} process(es) were left`);
    },
  };
  return bench;
}

/** Everything that the command line would show of an item now. */
export async function look({ store, home }: World, id: string): Promise<Seen> {
  const state = await store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  const view: Parameters<typeof itemText>[2] = { now: state.updatedAt, columns: 160, paint: PLAIN };
  const [rows, events] = [await store.runs(id, { limit: 1_000 }), await store.events(id, { limit: 10_000 })];
  const telling = newTelling();
  const lines = events.flatMap((event) => eventLine(event, telling, view) ?? []);
  const shown = await Promise.all(
    rows.map(async (row) => runText(row, await store.calls(id, { ownerId: row.runId }), view)),
  );
  const logs = await Promise.all(
    rows.map(({ runId }) => readFile(runFiles(home.run(runId)).log, 'utf8').catch(() => '')),
  );
  return {
    state,
    page: itemText(state, rows, view),
    log: lines.join('\n'),
    runs: shown.join('\n'),
    json: JSON.stringify(itemReport(state, rows)),
    transcripts: logs.join('\n'),
  };
}

/** What tools answered in a request, by the name of the tool. */
export const answersIn = (messages: readonly ModelMessage[]): readonly string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ text }) => text) : []));

/** All that the model was told in requests whose conversation holds `about`. */
export const toldTo = ({ requests }: ScriptedModel, about: RegExp): string =>
  requests
    .map(({ messages }) => JSON.stringify(messages))
    .filter((text) => about.test(text))
    .join('\n');

/** Finds exactly this text. */
export const literal = (text: string): RegExp => new RegExp(text.replace(/[^\w ]/g, '\\$&'));

/** A Coordinator of the item whose goal holds `about`: one answer after the other, the last again and again. */
export function coordinatorOf(about: RegExp, ...answers: readonly Reply[]): ScriptedStep {
  let at = 0;
  return {
    name: `coordinator ${about.source}`,
    when: { tools: ['decide'], conversation: about },
    reply: () => {
      const answer = answers[Math.min(at, answers.length - 1)];
      at += 1;
      return answer ?? {};
    },
  };
}

/** What Coordinators were told was wrong with their decisions, of items whose goal holds `about`. */
export const repairsOf = ({ requests }: ScriptedModel, about = ''): string =>
  requests
    .filter(({ tools, messages }) => tools.includes('decide') && JSON.stringify(messages).includes(about))
    .map(({ said }) => said)
    .filter((said) => said.includes('Nothing of this was carried out'))
    .join('\n');
