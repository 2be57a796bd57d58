import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEMO_CRITERIA, DEMO_GOAL, DEMO_INSTRUCTIONS, DEMO_SETUP } from '../../src/cli/demo/demo-goal.ts';
import { SCENARIO } from '../../src/cli/demo/demo-model.ts';
import { makeDemoProject } from '../../src/cli/demo/demo-project.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import { held } from '../support/held.ts';
import { makeRepository } from '../support/repository.ts';
import { agent, call, commission, create, decide } from '../support/scripted-agent.ts';
import { checkedBy, submitGoal } from '../support/submit-goal.ts';
import { until } from '../support/until.ts';
import { openPageWorld, type PageWorld } from './page-world.ts';
import { FILES, GREETING, greetingSteps, SETTINGS, untilPerson } from './story.ts';

/** A page with work in every state that a person meets. */
export interface Showcase {
  readonly world: PageWorld;
  /** The demo's project. */
  readonly invoices: string;
  /** The demo's goal, carried to its proven end. */
  readonly done: string;
  /** A Run of its Action `quotes`. */
  readonly run: string;
  /** Waits for leave to use a tool. */
  readonly asking: string;
  /** Is being worked on, for as long as the showcase is open. */
  readonly running: string;
  close(): Promise<void>;
}

const SLOW = 'Speak twenty languages';

function slowSteps(hold: () => Promise<void>): readonly ScriptedStep[] {
  const work = agent(
    /Make languages true/,
    {
      text: 'The greeting is one sentence in src/greet.js. I look at who calls it before I take it apart.',
      toolCalls: [{ name: 'grep', input: { pattern: 'greet', path: '.', mode: 'content' } }],
    },
    call('read', { path: 'src/greet.js' }),
  );
  return [
    {
      name: 'coordinator of languages',
      when: { tools: ['decide'], conversation: new RegExp(SLOW) },
      reply: decide({
        title: 'Speak twenty languages',
        reply: 'Two Actions: one takes the words out of the code, the other writes them in twenty languages.',
        decisions: [
          create(
            commission('languages', { name: 'Take the words out of the code', for: ['c1'] }),
            commission('translate', { name: 'Write them in twenty languages', for: ['c2'], workspaceMode: 'read' }),
          ),
        ],
      }),
    },
    {
      ...work,
      reply: async (request) => {
        if (request.turn > 2) await hold();
        return typeof work.reply === 'function' ? work.reply(request) : {};
      },
    },
    {
      name: 'translator',
      when: { tools: ['submit_outcome'], conversation: /Make translate true/ },
      reply: async () => {
        await hold();
        return {};
      },
    },
  ];
}

const demoSteps = async (): Promise<readonly ScriptedStep[]> =>
  (parse(await readFile(SCENARIO, 'utf8')) as { steps: readonly ScriptedStep[] }).steps;

export async function openShowcase(): Promise<Showcase> {
  const gate = held();
  const steps = [...greetingSteps(), ...slowSteps(() => gate.pass()), ...(await demoSteps())];
  const world = await openPageWorld({ steps, settings: SETTINGS, sandbox: true, prefix: 'ada-' });
  const invoices = join(world.rig.root, 'tidy-invoices');
  const greeter = join(world.rig.root, 'greeter');
  await makeDemoProject({ repository: invoices, agents: join(world.rig.root, 'agents'), at: Date.now() });
  await mkdir(greeter);
  await makeRepository(greeter, FILES);
  const done = await submitGoal(world.world, invoices, {
    goal: DEMO_GOAL,
    criteria: DEMO_CRITERIA,
    contract: { setup: DEMO_SETUP, instructions: DEMO_INSTRUCTIONS },
    limits: { costMicros: 2_000_000 },
  });
  await until('the demo is done', async () => (await world.state(done.id)).lifecycle === 'done', 180_000);
  const asking = await leave(world, greeter);
  const question = await submitGoal(world.world, greeter, { ...GREETING, goal: 'Greet people with their first name' });
  await untilPerson(world, question.id);
  const running = await submitGoal(world.world, greeter, {
    goal: SLOW,
    criteria: [
      checkedBy('c1', 'test -f src/words.js', { text: 'No words are left in the code' }),
      { id: 'c2', text: 'Twenty languages are there' },
    ],
  });
  await until('it is being worked on', async () => (await world.state(running.id)).runs.length === 2);
  await drafts(world, greeter, invoices);
  const run = (await world.world.store.runs(done.id)).find(({ actionId }) => actionId === 'quotes')?.runId ?? '';
  return {
    ...{ world, invoices, run, asking, done: done.id, running: running.id },
    async close() {
      await world.world.store.execute(stopOf(running.id));
      gate.release();
      await world.close();
    },
  };
}

const PERSON = { kind: 'user', name: 'ada' } as const;
const stopOf = (itemId: string) =>
  ({ itemId, principal: PERSON, body: { type: 'StopItem', reason: 'The showcase is over.' } }) as const;

/** An item that waits for leave to use a tool. */
async function leave(world: PageWorld, directory: string): Promise<string> {
  const { id } = await submitGoal(world.world, directory, GREETING);
  const asked = await untilPerson(world, id);
  const [question] = asked.requests;
  const body = { type: 'AnswerRequest', requestId: question?.id ?? '', choice: 'text', text: 'No' } as const;
  await world.world.store.execute({ itemId: id, principal: PERSON, body });
  await until('leave is asked for', async () =>
    (await world.state(id)).requests.some(({ kind }) => kind === 'approval'),
  );
  return id;
}

async function drafts(world: PageWorld, greeter: string, invoices: string): Promise<void> {
  const goals = [
    [greeter, 'Say goodbye, too, and in the same voice'],
    [invoices, 'Credit notes name the invoice that they belong to'],
  ] as const;
  for (const [directory, goal] of goals) await submitGoal(world.world, directory, { goal, start: false });
}
