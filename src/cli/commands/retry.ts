import { changeAction } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { textOption } from '../options.ts';

export const retry: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'Action id; a verification is asked for again')
      .option('--note <words>', 'guidance for the next attempt'),
  examples: ['workcenter retry k3v9 fix', 'workcenter retry k3v9 fix --note "leave the public API alone"'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeAction(shell, input, (fence) => {
      const guidance = textOption(input, 'note');
      return {
        body: { type: 'RetryAction', ...fence, ...(guidance === undefined ? {} : { guidance }) },
        said: `${fence.actionId} is to run again, and what builds on it.`,
      };
    }),
};
