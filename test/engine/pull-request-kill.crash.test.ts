import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EngineChild, startEngine } from '../support/engine-child.ts';
import { loaded, submitted } from './control-support.ts';
import { openGithub, openYard, pullPlan, type Yard } from './pull-request-support.ts';

let yard: Yard;
let doomed: EngineChild | undefined;
beforeEach(async () => {
  yard = await openYard();
});
afterEach(async () => {
  await doomed?.kill();
  await yard.close();
});

const pidFile = () => join(yard.bench.root, 'pid');

/** An engine in a process of its own, which something outside will kill; resolves when it is gone. */
async function untilKilled(): Promise<void> {
  const options = { sandbox: false, pollMs: 50 };
  doomed = startEngine({ root: yard.bench.root, options, untilIdle: true, pidFile: pidFile() });
  expect(await doomed.ended, doomed.text()).toBeNull();
}

async function carriedOn(id: string) {
  const engine = await yard.engine();
  const state = await engine.untilSettled(id);
  await engine.stop();
  return state;
}

const kindsOf = async (id: string) => (await yard.bench.world.store.events(id)).map(({ body }) => body.type);

it.each(['pre-receive', 'post-receive'])(
  'D25: an engine killed while the remote runs its %s hook has its push found, not repeated',
  async (name) => {
    const { root } = yard.bench;
    // Once only, and from the other side: the remote is what kills.
    await yard.hook(name, `[ -e '${root}/killed' ] || { : > '${root}/killed'; kill -9 "$(cat '${pidFile()}')"; }`);
    await yard.hook('update', `echo "$1 $3" >> '${root}/updates'`);
    const id = await submitted(yard.bench, pullPlan());
    await untilKilled();
    expect((await loaded(yard.bench, id)).pull).toBeUndefined();
    const state = await carriedOn(id);
    expect(state.lifecycle).toBe('done');
    expect(await yard.at('rev-parse', `workcenter/${id}`)).toBe(state.finalResult?.commit);
    const updates = (await readFile(join(root, 'updates'), 'utf8')).trim().split('\n');
    expect(new Set(updates)).toEqual(new Set([`refs/heads/workcenter/${id} ${state.finalResult?.commit}`]));
    if (name === 'post-receive') expect(updates).toHaveLength(1);
    expect((await kindsOf(id)).filter((kind) => kind === 'PullRequestOpened')).toHaveLength(1);
  },
);

it('D25: an engine killed between the making of a pull request and its record opens no second one', async () => {
  // Any variable can hold the token; this is one that the process of a test hands on.
  const github = await openGithub(yard, { tokenEnv: 'LANG' });
  try {
    const id = await submitted(yard.bench, pullPlan());
    github.onMade = async () => {
      github.onMade = () => undefined;
      await doomed?.kill();
    };
    await untilKilled();
    expect(github.pulls).toHaveLength(1);
    expect((await loaded(yard.bench, id)).pull).toBeUndefined();
    const state = await carriedOn(id);
    expect(state.lifecycle).toBe('done');
    expect(state.pull?.url).toBe(github.pulls[0]?.html_url);
    expect(github.pulls).toHaveLength(1);
  } finally {
    await github.close();
  }
});
