import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { pullWords } from '../../src/engine/branch/pull-request/words.ts';
import { itemDiff, type World } from '../../src/engine/index.ts';
import type { ScriptedStep } from '../../src/testing.ts';
import {
  agent,
  call,
  commission,
  complete,
  coordinator,
  create,
  decide,
  submit,
  write,
} from '../support/scripted-agent.ts';
import { checkedBy } from '../support/submit-goal.ts';
import { type GoalBench, look, openGoalBench } from './coordinated-bench.ts';

/** A value of the engine's own environment, and one in a file of the project under a telling name. */
const CANARY = 'canary-5f1d0c7e9b2a4d68';
const IN_FILE = 'pa55-0b9e7d21c44f';
const GIT = 'git -c user.name=t -c user.email=t@example.invalid';
/** The shell puts it together, so that no argument of the call holds it. */
const SAY = `c=${CANARY.slice(0, 12)}; c=\${c}${CANARY.slice(12)}`;

let bench: GoalBench | undefined;
afterEach(() => bench?.close());

const told: readonly ScriptedStep[] = [
  coordinator(
    decide({
      title: `Use ${CANARY}`,
      reply: `I use ${CANARY}.`,
      reason: `because of ${CANARY}`,
      decisions: [create(commission('a', { for: ['c1'], rationale: `There is ${CANARY} to be used for it.` }))],
    }),
    decide({
      reply: `Used ${CANARY}.`,
      decisions: [{ kind: 'complete', summary: `With ${CANARY}.`, residualRisks: [`${CANARY} may be known.`] }],
    }),
  ),
  {
    name: 'the agent',
    when: { tools: ['submit_outcome'], conversation: /Make a true/ },
    reply: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      const isAnswered = JSON.stringify(messages[0]).includes('yes, go on');
      const replies = isAnswered
        ? [
            call('shell', { command: `${SAY}; touch good.txt; git add good.txt; ${GIT} commit -qm "Use $c"` }),
            submit(`Used ${CANARY}.`, {
              evidence: [{ kind: 'link', label: `see ${CANARY}`, ref: `https://example.invalid/${CANARY}` }],
              claims: [{ criterion: 'c1', status: 'passed', evidence: `saw ${CANARY}` }],
              outputs: [{ kind: 'link', ref: `https://example.invalid/${CANARY}` }],
            }),
          ]
        : [
            { text: `I print ${CANARY}.`, ...call('shell', { command: `echo ${CANARY}; ${SAY}; echo "$c" >&2` }) },
            call('read', { path: 'service.env' }),
            call('shell', { command: `cat service.env; ${SAY}; yes "$c" | head -c 60000` }),
            call(`tool-${CANARY}`, { [CANARY]: CANARY }),
            call('ask_human', { question: `Is ${CANARY} right?` }),
          ];
      return replies[turn] ?? submit();
    },
  },
];

/** Every file of the data directory, as Latin-1 text, so that bytes of a database can be searched as well. */
async function filesBeneath(directory: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as const));
}

/** Requests and answers of every model call, as they are stored. */
async function storedCalls({ store }: World, id: string): Promise<readonly string[]> {
  const calls = await store.calls(id, { limit: 100 });
  const hashes = calls.flatMap(({ requestHash, responseHash }) => [requestHash, responseHash ?? '']);
  const bodies = await Promise.all(hashes.filter((hash) => hash !== '').map((hash) => store.getContent(hash)));
  return bodies.map((body) => Buffer.from(body ?? []).toString('utf8'));
}

it('D38: a secret that models, tools and files say is in nothing that is kept, sent, shown or published', async () => {
  bench = await openGoalBench({
    files: { 'service.env': `SERVICE_PASSWORD=${IN_FILE}\n`, 'README.md': `The token is ${CANARY}.\n` },
    env: { DEPLOY_TOKEN: CANARY },
    steps: told,
  });
  const { world, model, rig } = bench;
  const item = await bench.submit({
    goal: 'Make it good',
    criteria: [checkedBy('c1', `${SAY}; echo $c; test -e good.txt`)],
  });
  const asked = await bench.settled(item.id);
  expect(model.unmatched).toEqual([]);
  expect(asked.state.requests.map(({ question }) => question)).toEqual(['Is [redacted] right?']);
  await bench.tell(item.id, { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'yes, go on' });
  const { state } = await bench.settled(item.id);
  expect(state.lifecycle).toBe('done');
  await bench.engine.stop();

  const { store } = world;
  const seen = await look(world, item.id);
  const kept = [
    JSON.stringify([await store.events(item.id), await store.runs(item.id), await store.entries(item.id), state]),
    JSON.stringify(await store.list({ limit: 10 })),
    JSON.stringify(model.requests.map(({ system, messages }) => [system, messages])),
    JSON.stringify(await itemDiff(world, state)),
    pullWords(state, [], (text) => text).body,
    await rig.git('log', '--format=%B%an%ae', `main..workcenter/${item.id}`),
    ...[seen.page, seen.log, seen.runs, seen.json, seen.transcripts],
    ...(await storedCalls(world, item.id)),
  ];
  expect(kept.join('\n')).toContain('[redacted]');
  const around = (text: string, secret: string): readonly string[] => {
    const at = text.indexOf(secret);
    return at === -1 ? [] : [text.slice(Math.max(0, at - 200), at + 50)];
  };
  expect(kept.flatMap((text) => [...around(text, CANARY), ...around(text, IN_FILE)])).toEqual([]);
  const leaks = (await filesBeneath(world.home.root)).filter(([, text]) => text.includes(CANARY));
  expect(leaks.map(([path]) => path.slice(world.home.root.length))).toEqual([]);
});

it('D38: a secret of our environment that an agent writes into a file, or into its name, is taken out before it counts', async () => {
  const told = /take it out, for results are published/;
  bench = await openGoalBench({
    env: { DEPLOY_TOKEN: CANARY },
    steps: [
      coordinator(
        decide({ decisions: [create(commission('a', { for: ['c1'], maxAttempts: 2 }))] }),
        decide({ decisions: [complete()] }),
      ),
      agent(
        told,
        call('shell', { command: `rm -f *${CANARY}*; echo 'read it from DEPLOY_TOKEN' > good.txt` }),
        submit(),
      ),
      agent(/Make a true/, write('good.txt', `token: ${CANARY}\n`), write(`of-${CANARY}.txt`, ''), submit()),
    ],
  });
  const { world, rig } = bench;
  const seen = await bench.carry({ goal: 'Make it good', criteria: [checkedBy('c1', 'test -e good.txt')] });
  expect(seen.state.lifecycle, seen.log).toBe('done');
  expect(seen.log).toContain('(secret_in_result)');
  expect(seen.log).toContain('a file name holds DEPLOY_TOKEN; good.txt holds DEPLOY_TOKEN.');
  expect(await rig.git('log', '-p', '--format=%B', `main..workcenter/${seen.state.id}`)).not.toContain(CANARY);
  const kept = [await world.store.events(seen.state.id), await world.store.runs(seen.state.id), seen.transcripts];
  expect(JSON.stringify(kept)).not.toContain(CANARY);
});
