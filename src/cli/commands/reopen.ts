import { changed } from '../after-change.ts';
import { command, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument } from '../options.ts';

export const reopen: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter reopen k3v9'],
  userOnly: true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) =>
      changed(app, await command(app, state.id, { type: 'ReopenItem' }), `Reopened ${state.id}.`),
    ),
};
