import { answer } from '../answer.ts';
import { viewOf, withItem } from '../app.ts';
import { attend } from '../carry.ts';
import { isStranded, STRANDED } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { itemPage } from '../item-page.ts';
import { argument } from '../options.ts';
import { exitOf } from '../settled.ts';

export const watch: CommandModule = {
  define: (command) => void command.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter watch k3v9'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, found) => {
      const signal = shell.interruptible();
      if (!shell.json && (await isStranded(app, found))) shell.err(STRANDED);
      const state = (await attend(app, found.id, signal, found.version)) ?? found;
      const { text, json } = await itemPage(app, state, viewOf(shell));
      return answer(text, json, signal.aborted ? EXIT.interrupted : exitOf(state));
    }),
};
