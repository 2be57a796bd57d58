import { type CriterionGoal, goalOf } from '../../core/derive/goal.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { Receipt } from '../../core/model/outcome.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, viewOf, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, flagOption, type Input } from '../options.ts';
import { criterionText, receiptText } from '../render/receipt.ts';
import { openWorld } from '../world.ts';

function wanted(state: ItemState, id: string | undefined): readonly CriterionGoal[] | Failure {
  const { criteria } = goalOf(state);
  if (id === undefined) return criteria;
  const one = criteria.filter(({ criterion }) => criterion.id === id);
  if (one.length > 0) return one;
  return failure(EXIT.notFound, 'criterion_not_found', `Item ${state.id} has no criterion ${id}.`, {
    expected: `one of: ${criteria.map(({ criterion }) => criterion.id).join(', ')}`,
    found: id,
  });
}

/** The whole log of a receipt, from the content store; its tail where the body is gone. */
async function wholeLog(app: App, receipt: Receipt): Promise<string> {
  const bytes = await app.store.getContent(receipt.log.hash);
  return bytes === undefined ? receipt.log.tail : new TextDecoder().decode(bytes);
}

async function showEvidence(
  app: App,
  state: ItemState,
  goals: readonly CriterionGoal[],
  one: boolean,
): Promise<Outcome> {
  const runs = await app.store.runs(state.id, { limit: 1_000 });
  const receipt = one ? goals[0]?.claim?.receipt : undefined;
  const log = receipt ? await wholeLog(app, receipt) : undefined;
  const view = viewOf(app.shell);
  const blocks = goals.map((goal) => criterionText(goal, runs, view, log));
  const json = goals.map(({ criterion, standing, proof, flags, claim }) => ({
    id: criterion.id,
    text: criterion.text,
    check: criterion.check ?? null,
    standing,
    proof: proof ?? null,
    flags,
    claim: claim ?? null,
    ...(log === undefined ? {} : { log }),
  }));
  return answer(blocks.join('\n\n'), { id: state.id, criteria: json });
}

/** Verifies again; the item does not change, and neither does its proof. */
async function rerun(app: App, state: ItemState, goals: readonly CriterionGoal[]): Promise<Outcome> {
  const { shell } = app;
  const signal = shell.interruptible();
  const { world } = await openWorld(app, { embedded: true });
  const { rerunEvidence } = await import('../../engine/on-demand/rerun-evidence.ts');
  if (!shell.json) shell.err('Running the checks again, in a clean checkout…');
  const result = await rerunEvidence(world, state, {
    criterionIds: goals.map(({ criterion }) => criterion.id),
    signal,
  });
  if (result.kind === 'impossible') {
    return failure(EXIT.refused, 'rerun_impossible', result.why, { next: `workcenter evidence ${state.id}` });
  }
  const passed = result.receipts.every((receipt) => receipt.verdict === 'passed');
  const view = viewOf(shell);
  const tail = passed ? 'The same again: passed.' : 'Not the same: a check does not pass now.';
  const text = [...result.receipts.map((receipt) => receiptText(receipt, view).join('\n')), tail].join('\n\n');
  return answer(text, { id: state.id, passed, receipts: result.receipts }, passed ? EXIT.ok : EXIT.refused);
}

async function evidenceOf(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const id = input.args[1];
  const goals = wanted(state, id);
  if (isFailure(goals)) return goals;
  const list = goals as readonly CriterionGoal[];
  return flagOption(input, 'rerun') ? rerun(app, state, list) : showEvidence(app, state, list, id !== undefined);
}

export const evidence: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('[criterion]', 'one criterion, with its whole log')
      .option('--rerun', 'run the checks again at the recorded commit; changes nothing'),
  examples: ['workcenter evidence k3v9', 'workcenter evidence k3v9 c2', 'workcenter evidence k3v9 --rerun'],
  userOnly: false,
  remote: (input) => !flagOption(input, 'rerun'),
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => evidenceOf(app, state, input)),
};
