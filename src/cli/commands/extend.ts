import type { ItemState } from '../../core/model/item.ts';
import { type Failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { changed } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { argument, durationOption, flagOption, type Input, wholeOption } from '../options.ts';

/** Extending does not resume (D28); `--resume` asks for both, one after the other. */
async function extended(app: App, state: ItemState, input: Input): Promise<ItemState | Failure> {
  const wallClockSec = durationOption(input, 'wallClock');
  if (isFailure(wallClockSec)) return wallClockSec;
  const attempts = wholeOption(input, 'attempts', 1, 100);
  if (isFailure(attempts)) return attempts;
  const grown = await command(app, state.id, {
    type: 'ExtendBudget',
    controlVersion: state.controlVersion,
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
      .option('--wall-clock <time>', 'more time for Runs, such as 1h')
      .option('--attempts <count>', 'more attempts for every Action')
      .option('--resume', 'end the hold as well'),
  examples: ['workcenter extend k3v9 --wall-clock 1h --resume', 'workcenter extend k3v9 --attempts 1'],
  userOnly: true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => extendItem(app, state, input)),
};
