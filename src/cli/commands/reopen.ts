import { changeItem } from '../change.ts';
import type { CommandModule } from '../command.ts';

export const reopen: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter reopen k3v9'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeItem(shell, input, ({ id }) => ({ body: { type: 'ReopenItem' }, said: `Reopened ${id}.` })),
};
