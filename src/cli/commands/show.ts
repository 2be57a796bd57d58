import { answer } from '../answer.ts';
import { viewOf, withItem } from '../app.ts';
import { isStranded } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { argument } from '../options.ts';
import { itemText } from '../render/item.ts';
import { itemReport } from '../report.ts';

export const show: CommandModule = {
  define: (command) => void command.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter show k3v9', 'workcenter show k3v9 --json'],
  userOnly: false,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const runs = await app.store.runs(state.id, { limit: 1_000 });
      const next = (await isStranded(app, state)) ? '\n\nNothing carries it now. Carry on: workcenter up' : '';
      return answer(`${itemText(state, runs, viewOf(shell))}${next}`, itemReport(state, runs));
    }),
};
