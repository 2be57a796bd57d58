import { changeAction } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { flagOption, textOption } from '../options.ts';

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
    changeAction(shell, input, (fence) => ({
      body: {
        type: 'CloseAction',
        ...fence,
        reason: textOption(input, 'reason') ?? '',
        cascade: flagOption(input, 'cascade'),
      },
      said: `${fence.actionId} is closed. That proves nothing and undoes nothing.`,
    })),
};
