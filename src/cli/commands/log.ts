import type { ItemState } from '../../core/model/item.ts';
import { answer, type Outcome } from '../answer.ts';
import { type App, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { followItem } from '../follow.ts';
import { argument, flagOption } from '../options.ts';
import { eventJson, eventLine, newTelling, timelineView } from '../render/timeline.ts';
import { isSettled } from '../settled.ts';
import type { Shell } from '../shell.ts';

const PAGE = 500;

const tellLine = (shell: Shell, line: string | undefined): void => {
  if (line !== undefined) shell.out(line);
};

/** Tells every event behind the last one told. */
function teller(app: App) {
  const { shell, store } = app;
  const telling = newTelling();
  const told: unknown[] = [];
  let after = 0;
  const tell = async (state: ItemState): Promise<void> => {
    while (after < state.version) {
      const page = await store.events(state.id, { after, limit: PAGE });
      for (const event of page) {
        after = event.seq;
        if (shell.json) told.push(eventJson(event, telling));
        else tellLine(shell, eventLine(event, telling, timelineView(shell)));
      }
      if (page.length === 0) return;
    }
  };
  return { tell, told };
}

async function logItem(app: App, state: ItemState, follow: boolean): Promise<Outcome> {
  const { tell, told } = teller(app);
  await tell(state);
  if (!follow) return answer('', { id: state.id, events: told });
  const signal = app.shell.interruptible();
  await followItem(app, state.id, { show: tell, isOver: isSettled }, signal);
  return answer('', { id: state.id, events: told }, signal.aborted ? EXIT.interrupted : EXIT.ok);
}

export const log: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .option('--follow', 'go on until the item has ended or waits for you'),
  examples: ['workcenter log k3v9', 'workcenter log k3v9 --follow'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) =>
    withItem(shell, argument(input, 0), (app, state) => logItem(app, state, flagOption(input, 'follow'))),
};
