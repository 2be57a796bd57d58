import type { ItemState, Operation } from '../../core/model/item.ts';
import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, command, withItem } from '../app.ts';
import { changed } from '../change.ts';
import { asChoice } from '../choice-words.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, type Input, wordsOption } from '../options.ts';
import { refusedInRun } from '../refused-in-run.ts';
import { table } from '../render/table.ts';
import { oneLine } from '../render/text.ts';

const rowOf = ({ id, effect, actionId, tool, what }: Operation) =>
  [id, effect, actionId, tool ?? 'whole Action', oneLine(what)].map((text) => ({ text }));

const COLUMNS = [
  { title: 'operation', max: 36 },
  { title: 'effect' },
  { title: 'action', max: 24 },
  { title: 'by' },
  { title: 'what', grow: true, min: 16 },
];

function list({ shell }: App, { id, operations }: ItemState): Outcome {
  const unknown = operations.filter(({ effect }) => effect === 'unknown');
  const next = unknown.map((one) => `workcenter operation resolve ${id} ${one.id} applied|not_applied --note "…"`);
  const lines = table(COLUMNS, operations.map(rowOf), shell.columns, shell.paint.dim);
  const text = operations.length === 0 ? 'No effects outside the workspace are on record.' : lines.join('\n');
  return answer([text, ...next].join('\n'), { id, operations });
}

async function resolve(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const [, , operationId = '', word = ''] = input.args;
  const effect = asChoice(word);
  if (effect !== 'applied' && effect !== 'not_applied') {
    return failure(EXIT.invalid, 'usage', 'An operation either took effect or did not.', {
      expected: 'applied or not_applied',
      found: word || 'nothing',
    });
  }
  const known = state.operations.find(({ id }) => id === operationId);
  if (!known) {
    return failure(EXIT.notFound, 'operation_not_found', `Item ${state.id} has no operation ${operationId}.`, {
      expected: `one of: ${state.operations.map(({ id }) => id).join(', ') || 'none'}`,
      found: operationId || 'nothing',
      next: `workcenter operation ls ${state.id}`,
    });
  }
  const reason = wordsOption(input, 'note');
  if (isFailure(reason)) return reason;
  const body = { type: 'ResolveOperation', operationId, effect, reason } as const;
  return changed(app, await command(app, state.id, body), `${operationId}: ${effect}. It is on record as yours.`);
}

export const operation: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<verb>', 'ls or resolve')
      .argument('<id>', 'item id, or the beginning of one')
      .argument('[operation]', 'operation id, for resolve')
      .argument('[effect]', 'applied or not_applied: what you found out')
      .option('--note <words>', 'how you know; needed to resolve'),
  examples: [
    'workcenter operation ls k3v9',
    'workcenter operation resolve k3v9 op-1 not_applied --note "the release page does not list it"',
  ],
  userOnly: false,
  remote: () => true,
  run: async (shell, input) => {
    const [verb = '', id = ''] = input.args;
    if (verb === 'ls') return withItem(shell, id, async (app, state) => list(app, state));
    if (verb !== 'resolve') {
      return failure(EXIT.invalid, 'usage', 'Operations are listed with ls and settled with resolve.', {
        expected: 'ls or resolve',
        found: verb,
      });
    }
    const { WORKCENTER_RUN: runId } = shell.env;
    if (runId !== undefined) return refusedInRun('workcenter operation resolve', runId);
    return withItem(shell, argument(input, 1), (app, state) => resolve(app, state, input));
  },
};
