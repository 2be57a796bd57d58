import { answer } from '../answer.ts';
import { viewOf, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument } from '../options.ts';
import { itemText } from '../render/item.ts';
import { itemReport } from '../report.ts';
import { exitOf } from '../settled.ts';
import { attend } from './run.ts';

export const watch: CommandModule = {
  define: (command) => void command.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter watch k3v9'],
  userOnly: false,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, found) => {
      const signal = shell.interruptible();
      const state = (await attend(app, found.id, signal, found.version)) ?? found;
      const runs = await app.store.runs(state.id, { limit: 1_000 });
      const exit = signal.aborted ? EXIT.interrupted : exitOf(state);
      return answer(itemText(state, runs, viewOf(shell)), itemReport(state, runs), exit);
    }),
};
