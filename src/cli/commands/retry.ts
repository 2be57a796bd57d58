import { actionNamed } from '../actions.ts';
import { changed } from '../after-change.ts';
import { isFailure } from '../answer.ts';
import { command, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument, textOption } from '../options.ts';

export const retry: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'Action id; a verification is asked for again')
      .option('--note <words>', 'guidance for the next attempt'),
  examples: ['workcenter retry k3v9 fix', 'workcenter retry k3v9 fix --note "leave the public API alone"'],
  userOnly: true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const action = actionNamed(state, argument(input, 1));
      if (isFailure(action)) return action;
      const guidance = textOption(input, 'note');
      const result = await command(app, state.id, {
        type: 'RetryAction',
        actionId: action.id,
        generation: action.generation,
        ...(guidance === undefined ? {} : { guidance }),
      });
      return changed(app, result, `${action.id} is to run again, and what builds on it.`);
    }),
};
