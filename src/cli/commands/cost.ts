import { answer } from '../answer.ts';
import { withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { argument } from '../options.ts';
import { costText } from '../render/cost.ts';

export const cost: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter cost k3v9', 'workcenter cost k3v9 --json'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const { itemCost } = await import('../../engine/on-demand/item-cost.ts');
      const { forecast, ...sums } = await itemCost(app.store, state);
      const json = { id: state.id, usage: state.usage, ...sums, forecast };
      return answer(costText(sums, state.usage, forecast, shell), json);
    }),
};
