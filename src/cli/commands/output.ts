import type { ActionState } from '../../core/model/action.ts';
import type { ItemState } from '../../core/model/item.ts';
import type { RunRow } from '../../store/rows.ts';
import { actionNamed } from '../actions.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { followItem } from '../follow.ts';
import { argument, flagOption, type Input, wholeOption } from '../options.ts';
import { clean } from '../render/text.ts';
import { openTranscript } from '../render/transcript.ts';
import { outputFrom } from '../run-output.ts';

/** Prints what is there behind `from`; where to read on. */
async function printFrom(app: App, run: RunRow, from: number, say: (text: string) => void): Promise<number> {
  let at = from;
  for (;;) {
    const part = await outputFrom(app, run, at);
    if (!part || part.next === at) return at;
    say(part.text);
    at = part.next;
  }
}

/** What a Run left in the store, when its files are gone or it only ran checks. */
async function storedOutput(app: App, run: RunRow): Promise<string> {
  const logs = await Promise.all(
    run.receipts.map(async ({ criterionId, command, log }) => {
      const bytes = await app.store.getContent(log.hash);
      const body = bytes === undefined ? log.tail : new TextDecoder().decode(bytes);
      return `── ${criterionId}: ${command}\n${body.trimEnd()}\n`;
    }),
  );
  return logs.length > 0 ? logs.join('\n') : [run.summary, run.error ?? ''].filter((text) => text !== '').join('\n');
}

/** The Action that was named; else the one whose Run began last, which is what a person wants to see. */
function wantedAction(state: ItemState, runs: readonly RunRow[], name: string): ActionState | Failure {
  if (name !== '') return actionNamed(state, name);
  const last = runs.reduce<RunRow | undefined>((a, b) => (a && a.startedSeq > b.startedSeq ? a : b), undefined);
  if (last) return actionNamed(state, last.actionId);
  return failure(EXIT.notFound, 'run_not_found', `Nothing of item ${state.id} has run yet.`, {
    expected: 'a Run',
    found: 'none',
  });
}

function pick(runs: readonly RunRow[], action: ActionState, ordinal: number | undefined): RunRow | undefined {
  const mine = runs.filter((run) => run.actionId === action.id).sort((a, b) => a.startedSeq - b.startedSeq);
  return ordinal === undefined ? mine.at(-1) : mine.find((run) => run.ordinal === ordinal);
}

async function printRun(app: App, state: ItemState, run: RunRow, follow: boolean): Promise<Outcome> {
  const { shell } = app;
  const parts: string[] = [];
  const transcript = run.agent !== null && shell.live ? openTranscript(shell.columns) : undefined;
  const print = (text: string): void => {
    if (!shell.json) process.stdout.write(clean(text));
  };
  const write = (text: string): void => {
    parts.push(text);
    print(transcript ? transcript.push(text) : text);
  };
  let at = await printFrom(app, run, 0, write);
  let exit: typeof EXIT.ok | typeof EXIT.interrupted = EXIT.ok;
  if (follow && run.endedAt === null) {
    const signal = shell.interruptible();
    const isOver = (now: ItemState): boolean => now.runs.every((live) => live.id !== run.runId);
    const show = async (): Promise<void> => {
      at = await printFrom(app, run, at, write);
    };
    await followItem(app, state.id, { show, isOver }, signal);
    if (signal.aborted) exit = EXIT.interrupted;
  }
  if (parts.length === 0) write(await storedOutput(app, run));
  if (transcript) print(transcript.end());
  const text = parts.join('');
  const ended = !shell.json && text !== '' && !text.endsWith('\n') ? '\n' : '';
  if (ended !== '') process.stdout.write(ended);
  return answer('', { id: state.id, actionId: run.actionId, runId: run.runId, status: run.status, output: text }, exit);
}

async function outputOf(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const all = await app.store.runs(state.id, { limit: 1_000 });
  const action = wantedAction(state, all, argument(input, 1));
  if (isFailure(action)) return action;
  const ordinal = wholeOption(input, 'run', 1, 1_000_000);
  if (isFailure(ordinal)) return ordinal;
  const runs = await app.store.runs(state.id, { actionId: action.id, limit: 500 });
  const run = pick(runs, action, ordinal);
  if (run) return printRun(app, state, run, flagOption(input, 'follow'));
  return failure(EXIT.notFound, 'run_not_found', `Action ${action.id} has no such Run.`, {
    expected: runs.map((each) => `#${each.ordinal}`).join(', ') || 'a Run, but it has not run yet',
    found: ordinal === undefined ? 'none' : `#${ordinal}`,
  });
}

export const output: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('[action]', 'Action id; by default the one whose Run began last')
      .option('--run <ordinal>', 'an earlier Run; the last one by default')
      .option('--follow', 'go on until the Run has ended'),
  examples: ['workcenter output k3v9', 'workcenter output k3v9 fix --follow', 'workcenter output k3v9 verify-1'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => outputOf(app, state, input)),
};
