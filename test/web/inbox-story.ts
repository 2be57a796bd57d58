import type { Command } from '../../src/core/index.ts';
import { actionSpec, claim, command, create, dispatch, ENGINE, OWNER, outcomeOf, settle } from '../store/items.ts';
import { agentItem, coordinated, decide, openTurn, post } from '../store/talk-items.ts';
import type { PageWorld } from './page-world.ts';

const ACTIONS = [{ id: 'a1', spec: actionSpec('Write the code') }];
export const QUESTION = 'Which branch should the release go out from?';
export const CALL = 'git push origin fix';
/** What is not on its first line is hidden from whoever reads only that. */
export const WHOLE = `${CALL}\necho safe \u202egnp.txt x- fr mr\u202c\n${'echo again >> log.txt\n'.repeat(600)}rm -r build`;

const titled = (title: string) => ({ title, goal: `${title}.` });

const question = (id: string): readonly Command[] => [
  create(id, { actions: ACTIONS, contract: titled('Release the importer') }),
  ...[claim(id, `${id}-1`), dispatch(id, `${id}-1`)],
  settle(id, `${id}-1`, outcomeOf({ kind: 'waiting', question: QUESTION })),
];

const approval = (id: string): readonly Command[] => [
  agentItem(id, { contract: titled('Publish the site') }),
  ...[claim(id, `${id}-1`), dispatch(id, `${id}-1`)],
  command(id, {
    type: 'AskApproval',
    fence: { runId: `${id}-1`, epoch: 1, owner: OWNER },
    approval: {
      tool: 'shell',
      call: `${CALL} (and 602 more lines)`,
      whole: WHOLE,
      directory: '/projects/site',
      key: 'k1',
      pattern: 'git push *',
    },
    risk: 'It leaves this machine.',
  }),
];

async function proposal(id: string, { store }: PageWorld['world']): Promise<readonly Command[]> {
  for (const each of [coordinated(id), post(id, 'Also the empty file.'), openTurn(id, 't1')]) await store.execute(each);
  const state = await store.load(id);
  if (!state) throw new Error(`no item ${id}`);
  const contract = { ...state.contract, goal: 'An empty file is read, too.' };
  return [decide(id, 't1', { decisions: [{ kind: 'propose_contract', contract }, { kind: 'answer' }] })];
}

const held = (id: string): readonly Command[] => [
  create(id, { contract: titled('Bring the dependencies up to date') }),
  command(id, { type: 'HoldItem', code: 'engine_trouble', details: 'The disk was away.' }, { principal: ENGINE }),
];

/** A question (wq), an approval (wr), a proposal (ws) and a hold (wt), in the order in which they began to wait. */
export async function everythingWaits({ world }: PageWorld): Promise<void> {
  for (const commands of [question('wq'), approval('wr'), await proposal('ws', world), held('wt')]) {
    for (const each of commands) {
      const said = await world.store.execute(each);
      if ('code' in said) throw new Error(`${each.body.type}: ${said.code} ${said.message}`);
    }
  }
}
