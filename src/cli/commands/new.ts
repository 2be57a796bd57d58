import { resolve } from 'node:path';
import { type Attachment, CONTRACT_LIMITS, type ItemState, type Limits } from '../../core/index.ts';
import type { GoalSubmission } from '../../engine/submit/submit-goal.ts';
import type { DirtyPolicy } from '../../plan/compile/compile.ts';
import { type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, principalOf, withApp } from '../app.ts';
import { attach } from '../attachments.ts';
import { type Budget, readBudget } from '../budget-text.ts';
import { carryOrWatch, leave } from '../carry.ts';
import type { CommandModule } from '../command.ts';
import {
  type CoordinatorModel,
  coordinatorOf,
  type StoredConfiguration,
  storedConfiguration,
  unpricedFailure,
} from '../configuration.ts';
import { createGoalItem } from '../create-goal-item.ts';
import { criteriaOf } from '../new-goal/criteria.ts';
import { deliveryOf } from '../new-goal/delivery.ts';
import { type FoundSetup, setupOf } from '../new-goal/setup.ts';
import { argument, choiceOption, collect, flagOption, type Input, listOption, textOption } from '../options.ts';
import { criterionLines, limitsText } from '../render/contract.ts';
import { forecastText } from '../render/forecast.ts';
import { wrapText } from '../render/text.ts';
import type { Shell } from '../shell.ts';
import { fileText, typedText, withinChars } from '../text-input.ts';

const DIRTY = ['refuse', 'snapshot', 'in-place'] as const;

const INSTRUCTIONS_CHARS = 20_000;

/** What was typed, as far as it can be judged without the store. */
interface Wish {
  readonly goal: string;
  readonly title: string | undefined;
  readonly criteria: Exclude<ReturnType<typeof criteriaOf>, Failure>;
  readonly delivery: Exclude<ReturnType<typeof deliveryOf>, Failure>;
  readonly budget: Budget;
  readonly dirty: DirtyPolicy;
  readonly instructions: string | undefined;
}

async function goalText(shell: Shell, input: Input): Promise<string | Failure> {
  const text = await typedText(shell, argument(input, 0));
  return isFailure(text) ? text : withinChars('The goal', text, CONTRACT_LIMITS.goalChars);
}

async function instructionsText(shell: Shell, input: Input): Promise<string | undefined | Failure> {
  const given = textOption(input, 'instructions');
  if (given === undefined) return undefined;
  const text = await fileText(shell, given);
  return isFailure(text) ? text : withinChars('The instructions', text, INSTRUCTIONS_CHARS);
}

async function wishOf(shell: Shell, input: Input): Promise<Wish | Failure> {
  const goal = await goalText(shell, input);
  if (isFailure(goal)) return goal;
  const [texts, checks, minProofs] = ['criterion', 'check', 'minProof'].map((name) => listOption(input, name));
  const criteria = criteriaOf({ goal, texts: texts ?? [], checks: checks ?? [], minProofs: minProofs ?? [] });
  if (isFailure(criteria)) return criteria;
  const delivery = deliveryOf(textOption(input, 'deliver') ?? 'branch');
  if (isFailure(delivery)) return delivery;
  const budget = readBudgetOption(input);
  if (isFailure(budget)) return budget;
  const dirty = choiceOption<DirtyPolicy>(input, 'dirty', DIRTY);
  if (isFailure(dirty)) return dirty;
  const instructions = await instructionsText(shell, input);
  if (isFailure(instructions)) return instructions;
  return {
    goal,
    title: textOption(input, 'title'),
    criteria,
    delivery,
    budget,
    dirty: dirty ?? 'refuse',
    instructions,
  };
}

function readBudgetOption(input: Input): Budget | Failure {
  const text = textOption(input, 'budget');
  return text === undefined ? {} : readBudget(text);
}

async function limitsFor(configuration: StoredConfiguration, { budget }: Wish, input: Input): Promise<Limits> {
  const { limitsOf } = await import('../../engine/configuration.ts');
  const limits = { ...limitsOf(configuration), ...budget };
  return flagOption(input, 'allowUnmetered') ? { ...limits, allowUnmetered: true } : limits;
}

/** What is known before anything is created. */
interface Prepared {
  readonly wish: Wish;
  readonly start: boolean;
  readonly directory: string;
  readonly limits: Limits;
  readonly model: CoordinatorModel | Failure;
  readonly setup: FoundSetup | undefined;
  readonly attachments: readonly Attachment[];
}

/** Where the work is, and what the Coordinator there thinks with. */
async function placeOf(app: App, configuration: StoredConfiguration, named: string | undefined) {
  const { defaultDirectory: usual } = configuration;
  const server = await app.server?.();
  if (!server?.isRemote) {
    const directory = resolve(app.shell.cwd, named ?? usual ?? '.');
    return { directory, model: await coordinatorOf(app, configuration) };
  }
  const { remoteDirectory, remoteModel } = await import('../server/remote-goal.ts');
  return { directory: remoteDirectory(named, usual), model: await remoteModel(server) };
}

/** Everything that could be refused is refused before the item exists; a draft may wait for its model. */
async function prepare(app: App, input: Input): Promise<Prepared | Failure> {
  const { shell } = app;
  const wish = await wishOf(shell, input);
  if (isFailure(wish)) return wish;
  const configuration = await storedConfiguration(app);
  const start = !flagOption(input, 'draft') && configuration.startImmediately !== false;
  const limits = await limitsFor(configuration, wish, input);
  const { model, directory } = await placeOf(app, configuration, textOption(input, 'repo'));
  if (isFailure(directory)) return directory;
  if (start) {
    if (isFailure(model)) return model;
    const unpriced = unpricedFailure(model, limits.costMicros !== null && !limits.allowUnmetered);
    if (unpriced) return unpriced;
  }
  const attachments = await attach(app, listOption(input, 'attach'));
  if (isFailure(attachments)) return attachments;
  const setup = setupOf(shell, directory, textOption(input, 'setup'), listOption(input, 'setupInput'));
  return { wish, start, directory, limits, model, setup, attachments };
}

function submissionOf(app: App, input: Input, prepared: Prepared): GoalSubmission {
  const { wish, start, directory, limits, setup, attachments } = prepared;
  const { goal, title, criteria, delivery, dirty, instructions } = wish;
  return {
    directory,
    dirty,
    inPlace: flagOption(input, 'inPlace'),
    start,
    principal: principalOf(app.shell),
    goal: {
      goal,
      criteria,
      delivery,
      limits,
      attachments,
      reuseMemory: input.options.memory !== false,
      ...(title === undefined ? {} : { title }),
      ...(setup === undefined ? {} : { setup: setup.setup }),
      ...(instructions === undefined ? {} : { instructions }),
    },
  };
}

function setupLine(setup: FoundSetup | undefined): readonly string[] {
  if (!setup) return [];
  const how = setup.detected ? ' (found by its lock file; another: --setup CMD, none: --setup "")' : '';
  return [`set-up       ${setup.setup.run}${how}`];
}

const modelLine = (model: CoordinatorModel | Failure): string => {
  if (isFailure(model)) return `coordinator  no model yet: ${model.expected ?? model.message}`;
  return `coordinator  ${model.ref}${model.priced ? '' : ', whose price is not known'}`;
};

const DELIVERED: Readonly<Record<ItemState['contract']['delivery']['target'], string>> = {
  workspace_files: 'a branch, your checkout untouched; without git, the files where they are',
  response: 'words',
  pull_request: 'a pull request',
  merge: 'a merge',
};

/** What was made of the words, so that a misunderstanding shows before it costs anything. */
async function summary(app: App, state: ItemState, { setup, model }: Prepared) {
  const { delivery } = state.contract;
  const into = delivery.branch === undefined ? '' : ` into ${delivery.branch}`;
  const { forecastFor } = await import('../../engine/on-demand/item-cost.ts');
  const forecast = await forecastFor(app.store, state.contract);
  const lines = [
    ...criterionLines(state.contract.criteria),
    ...setupLine(setup),
    `delivery     ${DELIVERED[delivery.target]}${into}`,
    modelLine(model),
    `budget       ${limitsText(state.limits)}`,
    ...wrapText(forecastText(forecast), app.shell.columns - 15).map(
      (line, index) => `${(index === 0 ? 'forecast' : '').padEnd(13)}${line}`,
    ),
  ];
  const json = {
    forecast,
    coordinatorModel: isFailure(model) ? null : model.ref,
    setupDetected: setup?.detected ?? false,
  };
  return { lines: lines.map((line) => `  ${line}`), json };
}

async function createGoal(app: App, input: Input): Promise<Outcome> {
  const prepared = await prepare(app, input);
  if (isFailure(prepared)) return prepared;
  const state = await createGoalItem(app, submissionOf(app, input, prepared), textOption(input, 'key'));
  if (isFailure(state)) return state;
  const told = await summary(app, state, prepared);
  if (!flagOption(input, 'watch') || state.lifecycle === 'draft') return leave(app, state, told);
  if (!app.shell.json) app.shell.err([`${state.id}  ${state.contract.title}`, ...told.lines].join('\n'));
  return carryOrWatch(app, state);
}

export const newCommand: CommandModule = {
  define: (command) =>
    void command
      .argument('<goal>', 'what is to be achieved, in your words; - reads it from standard input')
      .option('--title <words>', 'a name for lists; made from the goal by default')
      .option('--criterion <text>', 'how you will know: c1, c2… in this order; may be repeated', collect)
      .option('--check <id=command>', 'the command that proves a criterion; may be repeated', collect)
      .option('--min-proof <id=strength>', 'self, independent, machine, machine-protected; may be repeated', collect)
      .option('--setup <command>', 'what installs dependencies; "" for none')
      .option('--setup-input <file>', 'file that decides whether to install again; may be repeated', collect)
      .option('--deliver <target>', 'response, branch (default), files, pr[:BASE], merge[:BRANCH]')
      .option('--budget <amounts>', 'such as 5usd,200k,50req,2h: money, tokens, requests, time of Runs')
      .option('--allow-unmetered', 'under a limit of money, also allow what reports no cost')
      .option('--repo <dir>', 'project directory; the default one of the settings, else this one')
      .option('--in-place', 'work in the directory itself instead of in clones')
      .option('--dirty <policy>', `uncommitted work: ${DIRTY.join(', ')}`)
      .option('--instructions <text>', 'told to everyone who works on it; @FILE reads a file')
      .option('--attach <file>', 'image, PDF or text; may be repeated', collect)
      .option('--draft', 'create it without starting')
      .option('--no-memory', 'do not look at earlier items of this directory')
      .option('--key <key>', 'idempotency key: the same submission again is the same item')
      .option('--watch', 'stay and carry it to its end'),
  examples: [
    'workcenter new "Invoices add up to the cent" --check c1="npm test -- invoices" --watch',
    'workcenter new "Add a dark theme" --criterion "Every page has one" --criterion "Tests pass" --check c2="npm test"',
    'workcenter new - --deliver pr:main --budget 5usd,2h < goal.md',
  ],
  userOnly: false,
  remote: () => true,
  run: (shell: Shell, input: Input) => withApp(shell, (app) => createGoal(app, input)),
};
