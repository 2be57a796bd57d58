import { answer } from '../answer.ts';
import { withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { costOf, MOST_CALLS } from '../cost-of.ts';
import { forecastFor } from '../forecast.ts';
import { argument } from '../options.ts';
import { costText } from '../render/cost.ts';

export const cost: CommandModule = {
  define: (parser) => void parser.argument('<id>', 'item id, or the beginning of one'),
  examples: ['workcenter cost k3v9', 'workcenter cost k3v9 --json'],
  userOnly: false,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), async (app, state) => {
      const calls = await app.store.calls(state.id, { limit: MOST_CALLS });
      const runs = await app.store.runs(state.id, { limit: 1_000 });
      const sums = costOf(state, calls, runs);
      const forecast = await forecastFor(app, state.contract);
      const uncertain = state.uncertain.map(({ id, model, charge }) => ({ id, model, charge }));
      const json = { id: state.id, usage: state.usage, ...sums, uncertain, forecast };
      return answer(costText(sums, state.usage, forecast, shell), json);
    }),
};
