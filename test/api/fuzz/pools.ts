import fc from 'fast-check';
import type { Command } from '../../../src/core/index.ts';
import { actionSpec, claim, completed, create, dispatch, outcomeOf, settle } from '../../store/items.ts';
import { AGENT, agentItem, coordinated, post } from '../../store/talk-items.ts';
import type { Served } from '../http.ts';

/** Names of what there is, by collection; requests pick one by its number when they are sent. */
export type Pools = Record<string, readonly string[]>;

const two = ['a1', 'a2'].map((id) => ({ id, spec: actionSpec(id) }));
const failed = outcomeOf({ kind: 'failed', code: 'broken', error: 'It broke.' });

/** Items in most states that there are: running, proven, asking, failed, draft, stopped, held, coordinated. */
function seeds(round: number): readonly Command[] {
  const [running, asking, draft, stopped, held, talks, agent] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(
    (letter) => `w${round}${letter}`,
  ) as [string, string, string, string, string, string, string];
  const user = { kind: 'user', name: 'ada' } as const;
  return [
    ...[create(running, { actions: two }), claim(running, `${running}-1`), dispatch(running, `${running}-1`)],
    ...[create(asking, { actions: two }), claim(asking, `${asking}-1`), dispatch(asking, `${asking}-1`)],
    settle(asking, `${asking}-1`, failed),
    ...[claim(asking, `${asking}-2`, { actionId: 'a2' }), dispatch(asking, `${asking}-2`)],
    settle(asking, `${asking}-2`, outcomeOf(completed())),
    create(draft, { start: false }),
    ...[create(stopped), { itemId: stopped, principal: user, body: { type: 'StopItem', reason: 'enough' } } as const],
    ...[
      create(held),
      { itemId: held, principal: user, body: { type: 'HoldItem', code: 'user', details: 'Wait.' } } as const,
    ],
    ...[coordinated(talks), post(talks, 'Hello there.')],
    agentItem(agent, { actions: [{ id: 'a1', spec: AGENT }] }),
  ];
}

/** Makes fresh items, for those of the round before have been stopped, answered and closed by now. */
export async function seed(at: Served, round: number): Promise<Pools> {
  const commands = seeds(round);
  // The live Run of the round before gives its slot back, if nobody has ended it by now.
  await at.store.execute(
    settle(`w${round - 1}a`, `w${round - 1}a-1`, { kind: 'interrupted', code: 'over', error: 'Over.' }),
  );
  for (const command of commands) {
    const said = await at.store.execute(command);
    if ('code' in said) throw new Error(`${command.body.type} of ${command.itemId}: ${said.code} ${said.message}`);
  }
  const items = [...new Set(commands.map(({ itemId }) => itemId))];
  return {
    'work-items': [...items, at.itemId],
    actions: ['a1', 'a2', 'a3'],
    requests: ['r1', 'r1', 'r2'],
    contents: ['c'.repeat(64), 'd'.repeat(64), 'xyz'],
    operations: ['o1'],
    directory: [at.rig.repo, at.rig.repo, at.rig.root, '/nowhere', 'relative'],
  };
}

const pick = (collection: string): fc.Arbitrary<string> => fc.nat(60).map((index) => `@${collection}:${index}`);
const small = fc.integer({ min: 0, max: 3 });

/** Values that mean something, by the name of the field or of the shape. Nobody listens at the address. */
export const HINTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  directory: pick('directory'),
  actionId: pick('actions'),
  attachments: fc.array(pick('attachments'), { maxLength: 2 }),
  generation: small,
  controlVersion: small,
  clientMessageId: fc.constantFrom('m-1', 'm-2', 'm-3', 'm-4'),
  choice: fc.constantFrom('retry', 'close', 'stop', 'text', 'verify', 'approve', 'reject'),
  url: fc.constantFrom('http://127.0.0.1:9/hook', 'http://127.0.0.1:9/other', 'https://[::1]:9/'),
  Settings: fc.record({ concurrency: fc.integer({ min: 1, max: 9 }) }),
  name: fc.constantFrom('notes.txt', 'data.json', 'hook', 'picture.png'),
};

/** The request with the names that there are now; a Run is one of the item that stands before it. */
export function filled(text: string, pools: Pools): string {
  let item = '';
  return text.replaceAll(/@([a-z-]+):(\d+)/g, (_, collection: string, digits: string) => {
    const index = Number(digits);
    if (collection === 'runs') return `${item}-${(index % 2) + 1}`;
    const names = pools[collection] ?? [];
    const name = names[index % names.length] ?? 'none';
    if (collection === 'work-items') item = name;
    return name;
  });
}

const MEMBERS =
  /^(?:GET|POST) \/api\/v1\/(?:[^{]*\/)?(vps|webhooks|attachments|deliveries)(?:\/\{[^}]+\}\/(deliveries|test))?$/;

/** Takes the names that an answer tells into the pools: what was made is what later requests are about. */
export function harvest(pools: Pools, operation: string, body: unknown): void {
  const [, collection, below] = MEMBERS.exec(operation) ?? [];
  const into = below === 'test' ? 'deliveries' : (below ?? collection);
  if (into === undefined || typeof body !== 'object' || body === null) return;
  const found = [body, ...Object.values(body).flat()].flatMap((each) =>
    typeof each === 'object' && each !== null && 'id' in each && typeof each.id === 'string' ? [each.id] : [],
  );
  pools[into] = [...new Set([...found, ...(pools[into] ?? [])])].slice(0, 12);
}
