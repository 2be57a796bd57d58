import type { Outcome, Receipt } from '../../src/core/index.ts';
import { actionSpec, claim, command, create, createBody, dispatch, settle, USER } from '../store/items.ts';
import { AGENT, decide, openTurn } from '../store/talk-items.ts';
import { submitPlan } from '../support/submit-plan.ts';
import { until } from '../support/until.ts';
import type { PageWorld } from './page-world.ts';

/** Words without a place to break, of both scripts, and from right to left. */
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';
const LATIN = WORD.repeat(4);
const HAN = '没有空格也没有标点的很长的一句话'.repeat(8);
const HEBREW = 'משפט ארוך מאוד מימין לשמאל '.repeat(6);
/** So many characters of all of it. */
const long = (chars: number): string => `${LATIN} ${HAN} ${HEBREW} `.repeat(Math.ceil(chars / 400)).slice(0, chars);
/** As long as a name of a file may be. */
export const NAME = `${WORD.repeat(5)}.txt`;
const PATH = `a/${WORD}/${WORD}/${'文件'.repeat(20)}/${WORD}.txt`;
const LINE = `node ${PATH} --${WORD} | grep -q ${LATIN}`;

const checks = { run: LINE, timeoutSec: 60, expectExit: 0, protect: [PATH], network: 'none' as const };
const criteria = Array.from({ length: 24 }, (_, n) => ({
  ...{ id: `c${n + 1}`, version: 1, text: long(n % 3 === 0 ? 2_000 : 400) },
  ...(n % 2 === 0 ? { minProof: 'machine' as const, check: checks } : { minProof: 'self' as const }),
}));
const CONTRACT = {
  ...{ title: `${LATIN}${HAN}`.slice(0, 200), goal: long(8_000), instructions: long(2_000), criteria },
  directory: `/projects/${PATH}`,
  setup: { run: LINE, inputs: [PATH], network: 'none' as const, timeoutSec: 60 },
};

const receipt = (hash: string): Receipt => ({
  ...{ criterionId: 'c1', criterionVersion: 1, verdict: 'wrong_exit', command: LINE, at: 'c'.repeat(40) },
  ...{ exitCode: 1, durationMs: 61_000, log: { hash, bytes: 4_000, tail: LATIN } },
  ...{ flags: ['tests_changed', 'protected_restored', 'not_sandboxed'], changed: [PATH], engine: 'test' },
});
const evidence = [{ kind: 'file' as const, label: long(300), ref: PATH, status: 'passed' as const }];

/** Work that is talked about: messages with files, and a question with answers of the longest kind. */
async function talked({ world: { store } }: PageWorld): Promise<string> {
  const { hash } = await store.putContent('bytes');
  const attachments = [1, 2, 3].map((n) => ({ name: `${n}${NAME}`, hash, bytes: 5, mediaType: 'text/plain' }));
  const quote = { from: WORD, text: long(2_000) };
  const says = { type: 'PostMessage', target: { kind: 'coordinator' }, text: long(2_000), attachments, quote } as const;
  const question = { kind: 'request_human', question: long(1_000), options: [long(120), LATIN, 'No'] } as const;
  for (const each of [
    command(
      'long',
      { ...createBody({ actions: [], contract: CONTRACT }), plan: { kind: 'coordinated' } },
      { principal: USER },
    ),
    command('long', says, { principal: USER }),
    openTurn('long', 't1'),
    decide('long', 't1', { decisions: [question], reply: long(4_000), reason: long(1_000) }),
  ])
    await ask(store, each);
  return 'long';
}

/** Work whose Actions have failed, are done, and wait for leave, each with much to say. */
async function planned({ world: { store } }: PageWorld): Promise<string> {
  const { hash } = await store.putContent(`${long(2_000)}\n`.repeat(20));
  const spec = (n: number) => ({
    ...(n === 3 ? AGENT : actionSpec('a')),
    ...{ name: `${n} ${LATIN}`, rationale: long(500), for: criteria.map(({ id }) => id) },
    brief: { objective: long(1_000), approach: long(500), expectedOutcome: HAN },
  });
  const actions = [1, 2, 3].map((n) => ({ id: `a${n}`, spec: spec(n) }));
  const fence = { runId: 'r3', epoch: 1, owner: 'owner-a' };
  const approval = {
    tool: 'shell',
    call: LINE.repeat(3),
    whole: `${LINE.repeat(3)}\n${long(3_000)}`,
    directory: `/projects/${PATH}`,
    key: 'k',
    pattern: LINE,
  };
  const result: Outcome = {
    ...{ kind: 'completed', summary: long(3_000), evidence, outputs: [] },
    claims: [{ criterionId: 'c2', status: 'passed', evidence: long(900) }],
  };
  const failed = { kind: 'failed', code: 'no_such_thing', error: `${long(500)}\n${LATIN}\n`.repeat(4) } as const;
  const end = { kind: 'outcome', commit: 'c'.repeat(40), changedPaths: [PATH], receipts: [receipt(hash)] } as const;
  const begin = (n: number) => [claim('plan', `r${n}`, { actionId: `a${n}` }), dispatch('plan', `r${n}`)];
  for (const each of [
    create('plan', { contract: CONTRACT, actions }),
    ...begin(1),
    settle('plan', 'r1', { ...end, outcome: failed }),
    ...begin(2),
    settle('plan', 'r2', { ...end, outcome: result }),
    ...begin(3),
    command('plan', { type: 'AskApproval', fence, approval, risk: long(300) }),
  ])
    await ask(store, each);
  return 'plan';
}

async function ask(store: PageWorld['world']['store'], each: ReturnType<typeof command>): Promise<void> {
  const said = await store.execute(each);
  if ('code' in said) throw new Error(`${each.body.type}: ${said.code}: ${said.message}`);
}

/** Work that was really done, to files with long names and lines. */
async function done(world: PageWorld): Promise<string> {
  const make = `mkdir -p "$(dirname "$P")"; echo "$L" > "$P"; seq 1 40 >> "$P"; git add -A; git commit -qm "$L"`;
  const text = `title: A long diff
goal: ${JSON.stringify(long(400))}
criteria:
  - { id: c1, text: ${JSON.stringify(LATIN)}, check: { run: ${JSON.stringify(`echo ${LATIN}; test -d a`)} } }
actions:
  - id: makes
    name: ${JSON.stringify(LATIN)}
    type: implement
    for: c1
    brief: ${JSON.stringify(HAN)}
    env: { P: ${JSON.stringify(PATH)}, L: ${JSON.stringify(`${LATIN}${HAN}`)} }
    run: ${JSON.stringify(['sh', '-c', make])}
`;
  const { id } = await submitPlan(world.world, text, world.rig.repo);
  await until('the long diff is there', async () => (await world.state(id)).lifecycle === 'done');
  return id;
}

/** Everything at its longest, of work that is talked about, that is planned, and that is done. Nobody carries it on. */
export async function longWork(world: PageWorld) {
  const ids = { done: await done(world), talked: '', planned: '' };
  await world.engine.stop();
  return { ...ids, talked: await talked(world), planned: await planned(world) };
}
