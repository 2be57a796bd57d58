import { isFailure } from '../answer.ts';
import { changeAction } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { wordsOption } from '../options.ts';

export const redirect: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('<action>', 'an unfinished Action')
      .requiredOption('--note <words>', 'guidance it restarts with'),
  examples: ['workcenter redirect k3v9 fix --note "use the existing queue"'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeAction(shell, input, (fence) => {
      const guidance = wordsOption(input, 'note');
      if (isFailure(guidance)) return guidance;
      return {
        body: { type: 'RedirectAction', ...fence, guidance },
        said: `${fence.actionId} restarts with your note; what it had done is kept.`,
      };
    }),
};
