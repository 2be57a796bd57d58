import { isFailure, type Outcome } from '../answer.ts';
import { readBudget } from '../budget-text.ts';
import type { CommandModule } from '../command.ts';
import { choiceOption, flagOption, type Input, textOption } from '../options.ts';
import type { Shell } from '../shell.ts';

const PROTOCOLS = ['openai', 'anthropic'] as const;

async function run(shell: Shell, input: Input): Promise<Outcome> {
  const protocol = choiceOption<(typeof PROTOCOLS)[number]>(input, 'protocol', PROTOCOLS);
  if (isFailure(protocol)) return protocol;
  const typed = textOption(input, 'budget');
  const budget = typed === undefined ? undefined : readBudget(typed);
  if (isFailure(budget)) return budget;
  const [directory, model] = [textOption(input, 'dir'), textOption(input, 'model')];
  const play = (await import('../demo/demo.ts')).demo;
  return play(shell, {
    plan: flagOption(input, 'plan'),
    scripted: flagOption(input, 'scripted'),
    keep: input.options.keep !== false,
    once: flagOption(input, 'once'),
    open: flagOption(input, 'open'),
    verbose: flagOption(input, 'verbose'),
    ...(directory === undefined ? {} : { directory }),
    ...(model === undefined ? {} : { model }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(budget === undefined ? {} : { budget }),
  });
}

export const demo: CommandModule = {
  define: (command) =>
    void command
      .option('--once', 'end by itself when everything is proven, and serve no page, as scripts need it')
      .option('--open', 'open the page in the browser, and keep it until Ctrl-C')
      .option('--plan', 'carry a plan of commands, without any model')
      .option('--scripted', 'ask the scripted model, also when a key of a provider is set')
      .option('--protocol <protocol>', `what the scripted model is asked in: ${PROTOCOLS.join(', ')}`)
      .option('--model <model>', 'ask this one: provider/model; that of the first key in the environment by default')
      .option('--budget <amounts>', 'what it may cost, such as 5usd or 200k; 2usd by default')
      .option('--dir <dir>', 'where to make it, or where one was interrupted; a new temporary directory by default')
      .option('--keep', 'leave everything in place for a look; the default')
      .option('--no-keep', 'remove everything at the end')
      .option('--verbose', 'say how long each phase took'),
  examples: [
    'workcenter demo',
    'workcenter demo --open',
    'workcenter demo --once --json',
    'workcenter demo --protocol anthropic',
    'OPENAI_API_KEY=… workcenter demo --budget 1usd',
    'workcenter demo --plan --dir ./demo --verbose',
  ],
  userOnly: false,
  run,
};
