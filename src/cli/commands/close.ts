import { actionNamed } from '../actions.ts';
import { changed } from '../after-change.ts';
import { isFailure } from '../answer.ts';
import { command, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument, flagOption, textOption } from '../options.ts';

export const close: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'Action id')
      .requiredOption('--reason <words>', 'why; what depends on it sees this instead of a result')
      .option('--cascade', 'close what depends on it as well'),
  examples: ['workcenter close k3v9 docs --reason "not needed for this release"'],
  userOnly: true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const action = actionNamed(state, argument(input, 1));
      if (isFailure(action)) return action;
      const result = await command(app, state.id, {
        type: 'CloseAction',
        actionId: action.id,
        generation: action.generation,
        reason: textOption(input, 'reason') ?? '',
        cascade: flagOption(input, 'cascade'),
      });
      return changed(app, result, `${action.id} is closed. That proves nothing and undoes nothing.`);
    }),
};
