import { changeItem } from '../change.ts';
import type { CommandModule } from '../command.ts';

export const resume: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter resume k3v9'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeItem(shell, input, ({ id, controlVersion }) => ({
      body: { type: 'ResumeItem', controlVersion },
      said: `Resumed ${id}.`,
    })),
};
