import type { ItemState } from '../../src/core/index.ts';
import type { ModelMessage } from '../../src/model/index.ts';
import type { Reply, ScriptedStep } from '../../src/testing.ts';
import { agent, call, commission, complete, create, decide, submit, write } from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { until } from '../support/until.ts';
import type { PageWorld } from './page-world.ts';

/** The files that the stories begin with. */
export const FILES = {
  'README.md': '# Greeter\n\nSays hello.\n',
  'src/greet.js': "export const greet = (name) => 'Hello ' + name;\n",
  'test/greet.sh': "grep -q 'Hello, ' src/greet.js\n",
};

export const GREETING = {
  goal: 'Greet people with a comma',
  criteria: [
    checkedBy('c1', 'sh test/greet.sh', { text: 'A greeting has a comma' }),
    { id: 'c2', text: 'Nothing but the greeting has changed' },
  ],
};

export const TAG = 'git tag v1';
/** Tags ask a person for leave. */
export const SETTINGS = {
  permissions: { rules: [{ tool: 'shell', command: 'git tag *', decide: 'ask', reason: 'Tags are for releases.' }] },
};

const MENDED = "export const greet = (name) => 'Hello, ' + name;\n";
const WORDS = 'I put the comma where the greeting is made, and looked at what else calls it.';

const saysOf = (messages: readonly ModelMessage[]): string => JSON.stringify(messages);

/** Decides by what is in the item: asks first, commissions when it was answered, completes when all is proven. */
function coordinates(atEnd: () => Promise<void>): ScriptedStep {
  const asked = new Set<string>();
  const greeting = (text: string): Reply => {
    const [goal = ''] = /Greet people with \w+/.exec(text) ?? [];
    if (!asked.has(goal)) {
      asked.add(goal);
      return decide({
        reply: 'Before I begin: how loud?',
        reason: 'The goal leaves it open.',
        decisions: [{ kind: 'request_human', question: 'Should it end with a full stop?', options: ['Yes', 'No'] }],
      });
    }
    if (!/id\\?":\\?"greeting/.test(text))
      return decide({
        reply: 'Understood. The comma goes in now.',
        decisions: [create(commission('greeting', { name: 'Put in the comma', for: ['c1', 'c2'] }))],
      });
    return decide({ reply: 'Both criteria are proven.', decisions: [complete('Greetings have a comma.')] });
  };
  return {
    name: 'coordinator',
    when: { tools: ['decide'], conversation: /Greet people/ },
    reply: async ({ messages }) => {
      const said = saysOf(messages);
      if (said.includes('"status":"completed"') || said.includes(String.raw`\"status\":\"completed\"`)) await atEnd();
      return greeting(said);
    },
  };
}

/** Between the agent's first words and its work, for tests that look at it while it runs. */
export interface Pace {
  readonly atWork?: () => Promise<void>;
  /** Between the end of the Action and that of the work. */
  readonly atEnd?: () => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** What the model says in the story of the greeting: a question, an Action that needs leave, a proven end. */
export function greetingSteps({ atWork = nothing, atEnd = nothing }: Pace = {}): readonly ScriptedStep[] {
  const work = agent(
    /Make greeting true/,
    { text: WORDS, toolCalls: [{ name: 'read', input: { path: 'src/greet.js' } }] },
    call('shell', { command: TAG }),
    write('src/greet.js', MENDED),
    submit('The greeting has a comma.', {
      claims: [{ criterion: 'c2', status: 'passed', evidence: 'The difference is one line.' }],
    }),
  );
  const paced: ScriptedStep = {
    ...work,
    reply: async (request) => {
      await atWork();
      return typeof work.reply === 'function' ? work.reply(request) : (work.reply ?? {});
    },
  };
  return [coordinates(atEnd), paced];
}

const PERSON = { kind: 'user', name: 'ada' } as const;

/** The state of an item as soon as it needs somebody, or is done. */
export async function untilPerson(world: PageWorld, id: string): Promise<ItemState> {
  const isThere = ({ requests, lifecycle, hold }: ItemState): boolean =>
    requests.length > 0 || lifecycle === 'done' || hold !== undefined;
  await until('a person is needed', async () => isThere(await world.state(id)));
  return world.state(id);
}

/** Carries the greeting to its end, answering what is asked. */
export async function carryGreeting(world: PageWorld): Promise<ItemState> {
  const { id } = await world.submit(GREETING);
  for (;;) {
    const state = await untilPerson(world, id);
    const [request] = state.requests;
    if (!request) return state;
    const choice = request.choices.includes('approve') ? 'approve' : 'text';
    const body = { type: 'AnswerRequest', requestId: request.id, choice, text: choice === 'text' ? 'No' : '' } as const;
    const said = await world.world.store.execute({ itemId: id, principal: PERSON, body });
    if ('code' in said) throw new Error(said.message);
  }
}
