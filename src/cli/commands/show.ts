import type { ItemState } from '../../core/model/item.ts';
import type { RunRow } from '../../store/rows.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, viewOf, withItem } from '../app.ts';
import { isStranded, STRANDED } from '../change.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { itemPage } from '../item-page.ts';
import { argument, type Input, textOption } from '../options.ts';
import { runText } from '../render/run.ts';
import { runJson } from '../report.ts';

const nameOf = (run: RunRow): string => `${run.actionId}#${run.ordinal}`;

/** A Run by its id, by `fix#2`, or the last one of the Action that is named. Runs come newest first. */
function runNamed(state: ItemState, runs: readonly RunRow[], wanted: string): RunRow | Failure {
  const found =
    runs.find((run) => run.runId === wanted || nameOf(run) === wanted) ??
    runs.find((run) => run.actionId === wanted) ??
    runs.find((run) => run.runId.startsWith(wanted));
  if (found) return found;
  return failure(EXIT.notFound, 'run_not_found', `Item ${state.id} has no Run ${wanted}.`, {
    expected: runs.slice(0, 20).map(nameOf).join(', ') || 'a Run, but nothing has run yet',
    found: wanted,
  });
}

async function showRun(app: App, state: ItemState, wanted: string): Promise<Outcome> {
  const run = runNamed(state, await app.store.runs(state.id, { limit: 1_000 }), wanted);
  if (isFailure(run)) return run;
  const calls = await app.store.calls(state.id, { ownerId: run.runId, limit: 1_000 });
  const json = { item: state.id, ...runJson(run), calls };
  return answer(runText(run, calls, viewOf(app.shell)), json);
}

async function showItem(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const wanted = textOption(input, 'run');
  if (wanted !== undefined) return showRun(app, state, wanted);
  const { text, json } = await itemPage(app, state, viewOf(app.shell));
  const next = (await isStranded(app, state)) ? `\n\n${STRANDED}` : '';
  return answer(`${text}${next}`, json);
}

export const show: CommandModule = {
  define: (command) =>
    void command
      .argument('<id>', 'item id, or the beginning of one')
      .option('--run <run>', 'one Run: an Action for its last one, fix#2, or a Run id'),
  examples: ['workcenter show k3v9', 'workcenter show k3v9 --run fix#2', 'workcenter show k3v9 --json'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => showItem(app, state, input)),
};
