import type { ItemState } from '../../core/model/item.ts';
import { bad, type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { readBudget } from '../budget-text.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { argument, durationOption, flagOption, type Input, textOption, wholeOption } from '../options.ts';

/** Extending does not resume (D28); `--resume` asks for both, one after the other. */
async function extended(app: App, state: ItemState, input: Input): Promise<ItemState | Failure> {
  const wallClockSec = durationOption(input, 'wallClock');
  if (isFailure(wallClockSec)) return wallClockSec;
  const attempts = wholeOption(input, 'attempts', 1, 100);
  if (isFailure(attempts)) return attempts;
  const runRequests = wholeOption(input, 'runRequests', 1, 100_000);
  if (isFailure(runRequests)) return runRequests;
  const text = textOption(input, 'budget');
  const budget = text === undefined ? {} : readBudget(text);
  if (isFailure(budget)) return budget;
  if (wallClockSec !== undefined && budget.wallClockSec !== undefined)
    return bad('Time is given twice.', '--wall-clock or a time in --budget', `--budget ${text}`);
  const grown = await command(app, state.id, {
    type: 'ExtendBudget',
    controlVersion: state.controlVersion,
    ...budget,
    ...(runRequests === undefined ? {} : { runRequests }),
    ...(wallClockSec === undefined ? {} : { wallClockSec }),
    ...(attempts === undefined ? {} : { attempts }),
  });
  if (isFailure(grown) || !flagOption(input, 'resume') || !grown.hold) return grown;
  return command(app, state.id, { type: 'ResumeItem', controlVersion: grown.controlVersion });
}

async function extendItem(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const result = await extended(app, state, input);
  const held = !isFailure(result) && result.hold ? ` Still held: workcenter resume ${state.id}` : '';
  return changed(app, result, `Extended ${state.id}.${held}`);
}

export const extend: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .option('--budget <amounts>', 'such as 5usd,200k,50req,2h: money, tokens, requests, time of Runs')
      .option('--run-requests <count>', 'more model requests for each Run')
      .option('--wall-clock <time>', 'more time for Runs, such as 1h')
      .option('--attempts <count>', 'more attempts for every Action')
      .option('--resume', 'end the hold as well'),
  examples: ['workcenter extend k3v9 --budget 5usd,200k --resume', 'workcenter extend k3v9 --attempts 1'],
  userOnly: true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => extendItem(app, state, input)),
};
