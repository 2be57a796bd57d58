import { goalOf, sentenceOf } from '../../core/index.ts';
import type { Budget } from '../budget-text.ts';
import { count, money } from '../render/money.ts';
import type { Paint } from '../render/paint.ts';
import type { Carried } from './carry-demo.ts';
import { DEMO_CRITERIA } from './demo-goal.ts';
import type { DemoModel, WireProtocol } from './demo-model.ts';
import type { DemoPlaces } from './demo-places.ts';

/** A path as a shell reads it back. */
const shellQuote = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** What is about to happen when a plan is carried, and what is not real about it. */
export const planOpening = (places: DemoPlaces, paint: Paint): string =>
  [
    paint.bold('Two bugs, two agents at once, and one of them lies.'),
    '',
    'A small JavaScript project with a dependency and a test suite was made in',
    `  ${places.repository}`,
    'Two of its tests fail. The plan has an Action for each bug, and three criteria',
    'that only a check can prove.',
    '',
    `${paint.amber('Canned')}  the two fixes: a script stands in for each agent, and the second`,
    '        one claims success falsely at first',
    `${paint.green('Real')}    git, processes and their sandbox, the set-up, the refusal, the merge,`,
    '        every proof',
    '',
  ].join('\n');

const PROTOCOL_WORDS: Readonly<Record<WireProtocol, string>> = Object.freeze({
  openai: 'chat completions of OpenAI',
  anthropic: 'Messages of Anthropic',
});

/** Who thinks, and what is not real about it. */
function modelLines(model: DemoModel, paint: Paint): readonly string[] {
  if (model.kind === 'real') return [`${paint.green('Model')}     ${model.ref}, really asked and really paid for`];
  return [
    `${paint.amber('Scripted')}  the words of the model: a server on loopback speaks the ${PROTOCOL_WORDS[model.protocol]}`,
    '          and answers by a scenario; its prices are made up. With ANTHROPIC_API_KEY, OPENAI_API_KEY or',
    '          OPENROUTER_API_KEY set, or with --model, the same command asks a real model',
  ];
}

const AMOUNTS: Readonly<Record<keyof Budget, (value: number) => string>> = Object.freeze({
  costMicros: money,
  tokens: (value) => `${count(value)} tokens`,
  requests: (value) => `${value} requests`,
  wallClockSec: (value) => `${value} s of work`,
});

const KINDS = ['costMicros', 'tokens', 'requests', 'wallClockSec'] as const satisfies readonly (keyof Budget)[];

const budgetWords = (budget: Budget): string =>
  KINDS.flatMap((kind) => (budget[kind] === undefined ? [] : [AMOUNTS[kind](budget[kind])])).join(', ');

/** What is about to happen when a goal is carried, who thinks, and what it may cost. */
export const goalOpening = (places: DemoPlaces, model: DemoModel, budget: Budget, paint: Paint): string =>
  [
    paint.bold('One goal, two bugs, and nobody is believed.'),
    '',
    'A small JavaScript project with a dependency and a test suite was made in',
    `  ${places.repository}`,
    'Two of its tests fail. A Coordinator decides what is done, agents do it, and the engine proves it:',
    ...DEMO_CRITERIA.map(({ id, text, check }) => `  ${id}  ${text}  ${paint.dim(check?.run ?? 'a review')}`),
    '',
    ...modelLines(model, paint),
    `${paint.green('Real')}      the tools, git, processes and their sandbox, the set-up, the refusal, the merge, every proof`,
    `Budget    at most ${budgetWords(budget)}; then it stops and asks (--budget)`,
    '',
  ].join('\n');

function sandboxWords({ enforcement }: Carried): string {
  if (enforcement.sandbox === 'none')
    return `No sandbox was enforced on this machine: ${enforcement.reason ?? 'none was found'}`;
  return `Every command ran inside ${enforcement.sandbox}.`;
}

function proofLines({ state }: Carried, paint: Paint): readonly string[] {
  return goalOf(state).criteria.map(({ criterion, standing, proof }) => {
    const proven = standing === 'passed';
    const mark = proven ? paint.green('■') : paint.red('·');
    return `  ${mark} ${criterion.id}  ${criterion.text}  ${proven ? (proof ?? '') : standing}`;
  });
}

/** The command that carries on, of the program under this name. */
export type CarryOn = (program: string) => string;

/** How an unfinished plan goes on: any engine can carry it. */
export const carryPlanOn =
  ({ home }: DemoPlaces): CarryOn =>
  (program) =>
    `WORKCENTER_HOME=${shellQuote(home)} ${program} up --until-idle`;

/** How an unfinished goal goes on: the demo brings the model along. */
export const carryGoalOn =
  ({ root }: DemoPlaces): CarryOn =>
  (program) =>
    `${program} demo --dir ${shellQuote(root)}`;

/** How the program is called where the demo was: `npm run demo` comes before anybody has put it on the PATH. */
export const programOf = (env: Readonly<Record<string, string>>): string =>
  env.npm_lifecycle_event === 'demo' ? 'node dist/cli/main.js' : 'workcenter';

/** Said last, because the prompt does not come back. */
export const pageStays = (url: string): string =>
  `\nThe page stays at ${url}/ until Ctrl-C. Next, a goal of your own: README, “Your first goal”.`;

interface Closing {
  readonly paint: Paint;
  /** False when all of it is being removed. */
  readonly kept: boolean;
  readonly program: string;
  readonly carryOn: CarryOn;
}

/** What can be done next with what the demo left. The commit to check comes last. */
function nextLines({ state }: Carried, places: DemoPlaces, { program, carryOn }: Closing): readonly string[] {
  const data = `WORKCENTER_HOME=${shellQuote(places.home)}`;
  const look = ['Look closer, at the receipts and at what the liar said:', `  ${data} ${program} show ${state.id}`];
  if (state.lifecycle !== 'done') return [...look, 'Carry on where it stopped:', `  ${carryOn(program)}`];
  const { commit = state.branch.head } = state.finalResult ?? {};
  const checkOut = `cd ${shellQuote(places.repository)} && git checkout -q ${commit}`;
  return [...look, 'Check it yourself:', `  ${checkOut} && npm ci && npm test`];
}

/** How it ended, and how anyone can check that without us. */
export function closing(carried: Carried, places: DemoPlaces, options: Closing): string {
  const { paint, kept } = options;
  const next = kept ? nextLines(carried, places, options) : ['Everything the demo made has been removed.'];
  const proofs = proofLines(carried, paint);
  return ['', paint.bold(sentenceOf(carried.state)), ...proofs, '', sandboxWords(carried), ...next].join('\n');
}
