import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, itemDiff, openEngine, type World } from '../../src/engine/index.ts';
import { loaded, submitted } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const CANARY = 'canary-5f1d0c7e9b2a4d68';

/** Every file beneath a directory, as Latin-1 text, so that bytes of a database can be searched as well. */
async function filesBeneath(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as const)));
}

describe("a secret of the engine's environment", () => {
  let bench: Workbench;
  let engine: Engine | undefined;
  afterEach(async () => {
    await engine?.stop();
    await bench.close();
  });

  it('D38: that an Action prints, reports, writes and commits is in nothing that we keep or publish in words', async () => {
    bench = await openWorkbench({ sandbox: false });
    const world: World = { ...bench.world, env: { ...bench.world.env, DEPLOY_TOKEN: CANARY } };
    const say = `c=${CANARY.slice(0, 12)}; c=\${c}${CANARY.slice(12)}`;
    const id = await submitted(
      bench,
      `
goal: leak it
criteria:
  - text: a is changed
    check: '${say}; echo "check says $c"; grep -q changed a.txt'
actions:
  - id: leak
    run: |
      ${say}
      echo "printing $c"; echo "and $c" >&2
      if ! grep -q "go on" "$WORKCENTER_BRIEF"; then
        printf '{"outcome":"waiting","question":"is %s right?"}' "$c" > "$WORKCENTER_OUTCOME"; exit 0
      fi
      echo changed > a.txt
      git add a.txt
      git -c user.name=t -c user.email=t@example.invalid commit -qm "Use $c"
      printf '{"outcome":"completed","summary":"used %s","claims":[{"criterion":"c1","status":"passed","evidence":"%s"}],"outputs":[{"kind":"link","ref":"https://example.invalid/%s"}],"evidence":[{"kind":"text","label":"%s"}]}' "$c" "$c" "$c" "$c" > "$WORKCENTER_OUTCOME"
    for: [c1]
`,
    );
    engine = openEngine(world);
    await engine.start();
    const asked = await engine.untilSettled(id);
    expect(asked.requests[0]?.question).toBe('is [redacted] right?');
    await bench.world.store.execute({
      itemId: id,
      principal: { kind: 'user', name: 'test' },
      body: { type: 'AnswerRequest', requestId: 'r1', choice: 'text', text: 'go on' },
    });
    const state = await engine.untilSettled(id);
    expect(state.lifecycle).toBe('done');
    await engine.stop();

    expect(JSON.stringify(state.actions[0]?.result)).toContain('their messages or authors hold a secret');

    const { store } = bench.world;
    const kept = JSON.stringify([
      await store.events(id),
      await store.runs(id),
      await loaded(bench, id),
      await store.list({ limit: 10 }),
    ]);
    expect(kept).toContain('leak');
    expect(kept).not.toContain(CANARY);
    const diff = await itemDiff(world, state);
    expect(JSON.stringify(diff)).not.toContain(CANARY);
    expect(await bench.git('show', `workcenter/${id}:a.txt`)).toBe('changed');
    expect(await bench.git('log', '--format=%B%an%ae', `workcenter/${id}`)).not.toContain(CANARY);

    const leaks = [...(await filesBeneath(bench.world.home.root))].filter(([, text]) => text.includes(CANARY));
    expect(leaks.map(([path]) => path.slice(bench.world.home.root.length))).toEqual([]);
  });
});
