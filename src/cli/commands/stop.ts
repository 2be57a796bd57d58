import { changeItem } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { textOption } from '../options.ts';

export const stop: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .option('--reason <words>', 'why; it is kept with the item'),
  examples: ['workcenter stop k3v9', 'workcenter stop k3v9 --reason "solved another way"'],
  userOnly: true,
  remote: () => true,
  run: (shell, input) =>
    changeItem(shell, input, ({ id }) => ({
      body: { type: 'StopItem', reason: textOption(input, 'reason') ?? 'a person asked' },
      said: `Stopping ${id}; its work is kept. workcenter reopen ${id} takes it up again.`,
    })),
};
