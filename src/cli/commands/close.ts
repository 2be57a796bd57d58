import { isFailure } from '../answer.ts';
import { changeAction } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { flagOption, wordsOption } from '../options.ts';

export const close: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'Action id')
      .requiredOption('--reason <words>', 'why; what depends on it sees this instead of a result')
      .option('--cascade', 'close what depends on it as well'),
  examples: ['workcenter close k3v9 docs --reason "not needed for this release"'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeAction(shell, input, (fence) => {
      const reason = wordsOption(input, 'reason');
      if (isFailure(reason)) return reason;
      return {
        body: { type: 'CloseAction', ...fence, reason, cascade: flagOption(input, 'cascade') },
        said: `${fence.actionId} is closed. That proves nothing and undoes nothing.`,
      };
    }),
};
