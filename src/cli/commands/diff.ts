import type { ItemState } from '../../core/model/item.ts';
import { actionNamed } from '../actions.ts';
import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withItem } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Input } from '../options.ts';
import { argument } from '../options.ts';
import type { Paint } from '../render/paint.ts';
import { clean } from '../render/text.ts';
import { openWorld } from '../world.ts';

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

async function diffItem(app: App, state: ItemState, input: Input): Promise<Outcome> {
  const wanted = input.args[1];
  const action = wanted === undefined ? undefined : actionNamed(state, wanted);
  if (isFailure(action)) return action;
  const diff = await diffOf(app, state, action?.id);
  if (isFailure(diff)) return diff;
  const cut = diff.truncated ? '\n… cut here; the whole of it is in the item branch.' : '';
  const body = diff.text.trimEnd();
  const text = body === '' ? 'Nothing has changed.' : `${paintDiff(body, app.shell.paint)}${cut}`;
  return answer(text, { id: state.id, actionId: action?.id ?? null, ...diff });
}

export const diff: CommandModule = {
  define: (parser) =>
    void parser
      .argument('<id>', 'item id, or the beginning of one')
      .argument('[action]', 'only what this Action changed'),
  examples: ['workcenter diff k3v9', 'workcenter diff k3v9 fix', 'workcenter diff k3v9 | less'],
  userOnly: false,
  remote: () => true,
  run: (shell, input) => withItem(shell, argument(input, 0), (app, state) => diffItem(app, state, input)),
};
