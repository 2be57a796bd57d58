import type { ItemState } from '../../core/model/item.ts';
import { actionNamed } from '../actions.ts';
import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Input } from '../options.ts';
import { argument, flagOption, textOption } from '../options.ts';
import type { Paint } from '../render/paint.ts';
import { clean } from '../render/text.ts';
import { openWorld } from '../world.ts';

interface DiffText {
  readonly text: string;
  readonly truncated: boolean;
}

/** Colours of a unified diff. */
function paintDiff(text: string, paint: Paint): string {
  return clean(text)
    .split('\n')
    .map((line) => {
      if (/^(diff |index |--- |\+\+\+ )/.test(line)) return paint.bold(line);
      if (line.startsWith('@@')) return paint.blue(line);
      if (line.startsWith('+')) return paint.green(line);
      return line.startsWith('-') ? paint.red(line) : line;
    })
    .join('\n');
}

/** From the engine's own repository of the item; of a server elsewhere, over HTTP. */
async function diffOf(app: App, state: ItemState, actionId: string | undefined) {
  const server = await app.server?.();
  if (server?.isRemote) return (await import('../server/remote-diff.ts')).remoteDiff(server, state.id, actionId);
  const { world } = await openWorld(app, { embedded: true });
  const { itemDiff } = await import('../../engine/on-demand/item-diff.ts');
  const diff = await itemDiff(world, state, actionId === undefined ? {} : { actionId });
  if (diff.kind === 'diff') return diff;
  return failure(EXIT.notFound, 'no_diff', diff.why, { next: `workcenter show ${state.id}` });
}

const shown = (app: App, { text, truncated }: DiffText, where: string): string => {
  const body = text.trimEnd();
  if (body === '') return 'Nothing has changed.';
  return `${paintDiff(body, app.shell.paint)}${truncated ? `\n… cut here; ${where}` : ''}`;
};

async function diffLive(app: App, state: ItemState, actionId: string | undefined): Promise<Outcome> {
  const { liveWork, runningAction } = await import('../live-work.ts');
  const running = runningAction(state, actionId);
  if (isFailure(running)) return running;
  const diff = await liveWork(app, state, running);
  if (isFailure(diff)) return diff;
  const { paint } = app.shell;
  const left = diff.left.map(({ path, reason }) => paint.dim(`not shown: ${clean(path)} (${reason})`));
  const more = diff.leftOut > left.length ? [paint.dim(`and ${diff.leftOut - left.length} more not shown`)] : [];
  const head = paint.dim(`LIVE ${running}, Run ${diff.runId}: as it is now; it proves nothing yet.`);
  const text = [head, shown(app, diff, 'the rest is in its workspace.'), ...left, ...more].join('\n');
  return answer(text, { id: state.id, actionId: running, ...diff });
}

async function diffItem(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const wanted = textOption(input, 'action') ?? input.args[1];
  const action = wanted === undefined ? undefined : actionNamed(state, wanted);
  if (isFailure(action)) return action;
  if (flagOption(input, 'live')) return diffLive(app, state, action?.id);
  const diff = await diffOf(app, state, action?.id);
  if (isFailure(diff)) return diff;
  return answer(shown(app, diff, 'the whole of it is in the item branch.'), {
    ...{ id: state.id, actionId: action?.id ?? null },
    ...diff,
  });
}

export const diff: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('[action]', 'only what this Action changed')
      .option('--action <action>', 'the same')
      .option('--live', 'what a running Action has changed so far in its workspace, committed or not'),
  examples: ['workcenter diff k3v9', 'workcenter diff k3v9 fix', 'workcenter diff k3v9 --action fix --live'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => diffItem(app, state, input)),
};
