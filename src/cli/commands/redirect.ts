import { actionNamed } from '../actions.ts';
import { changed } from '../after-change.ts';
import { isFailure } from '../answer.ts';
import { command, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument, textOption } from '../options.ts';

export const redirect: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'an unfinished Action')
      .requiredOption('--note <words>', 'guidance it restarts with'),
  examples: ['workcenter redirect k3v9 fix --note "use the existing queue"'],
  userOnly: true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const action = actionNamed(state, argument(input, 1));
      if (isFailure(action)) return action;
      const result = await command(app, state.id, {
        type: 'RedirectAction',
        actionId: action.id,
        generation: action.generation,
        guidance: textOption(input, 'note') ?? '',
      });
      return changed(app, result, `${action.id} restarts with your note; what it had done is kept.`);
    }),
};
