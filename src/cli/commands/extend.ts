import type { Extension } from '../../core/command.ts';
import type { ItemState } from '../../core/model/item.ts';
import { bad, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { readBudget } from '../budget-text.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, durationOption, flagOption, type Input, textOption, wholeOption } from '../options.ts';

/** What an item may have no limit of. */
const UNLIMITED = { costMicros: 'money', wallClockSec: 'time' } as const;

/** A limit that is not there cannot grow, and holds nothing back; to add to the others alone would be half of the word. */
export function notLimited({ id, limits }: ItemState, more: Extension): Failure | undefined {
  const kinds = ['costMicros', 'wallClockSec'] as const;
  const missing = kinds.filter((kind) => more[kind] !== undefined && limits[kind] === null);
  if (missing.length === 0) return undefined;
  const names = missing.map((kind) => UNLIMITED[kind]).join(' and ');
  const others = kinds.filter((kind) => limits[kind] !== null).map((kind) => UNLIMITED[kind]);
  const message = `Item ${id} has no limit of ${names}, so nothing can be added to it.`;
  return failure(EXIT.refused, 'nothing_changed', message, {
    expected: `a limit that it has: ${['requests', 'tokens', 'attempts', ...others].join(', ')}`,
    found: names,
    next: `Leave ${names} out: it is not held by that. Limits and their use: workcenter cost ${id}`,
  });
}

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
  const more: Extension = {
    ...budget,
    ...(runRequests === undefined ? {} : { runRequests }),
    ...(wallClockSec === undefined ? {} : { wallClockSec }),
    ...(attempts === undefined ? {} : { attempts }),
  };
  const { controlVersion } = state;
  const grown =
    notLimited(state, more) ?? (await command(app, state.id, { type: 'ExtendBudget', controlVersion, ...more }));
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
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => extendItem(app, state, input)),
};
