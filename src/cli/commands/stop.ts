import { changed } from '../after-change.ts';
import { command, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument, textOption } from '../options.ts';

export const stop: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .option('--reason <words>', 'why; it is kept with the item'),
  examples: ['workcenter stop k3v9', 'workcenter stop k3v9 --reason "solved another way"'],
  userOnly: true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const reason = textOption(input, 'reason') ?? 'a person asked';
      const said = `Stopping ${state.id}; its work is kept. workcenter reopen ${state.id} takes it up again.`;
      return changed(app, await command(app, state.id, { type: 'StopItem', reason }), said);
    }),
};
