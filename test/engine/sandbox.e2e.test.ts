import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';
import { actionOf, carried } from './control-support.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const enforced = (await probeSandbox({})).filesystem;

const confined = (name: string, test: () => Promise<void>): void =>
  enforced ? it(name, test) : it.skip(`${name} (skipped: this machine has no working bubblewrap)`, test);

/** Actions whose own words are the evidence: each succeeds only when what it tries is refused. */
const plan = (actions: string) => `
goal: try to get out
criteria: [everything was tried]
actions:
${actions}  - id: last
    run: echo x > tried.txt
    for: [c1]
`;

describe('what an Action may touch', () => {
  let bench: Workbench;
  // The sandbox gives /tmp away to each Action, so the project has to lie elsewhere to be worth attacking.
  beforeAll(() => {
    process.env.TMPDIR = '/var/tmp';
  });
  afterEach(() => bench.close());

  const firstRun = async (itemId: string, actionId: string) =>
    (await bench.world.store.runs(itemId, { actionId })).at(-1);

  const briefOf = async (itemId: string, actionId: string) => {
    const run = await firstRun(itemId, actionId);
    return readFile(join(bench.world.home.run(run?.runId ?? ''), 'brief.md'), 'utf8');
  };

  confined('D29: in mode read a write fails with a read-only error, and the Run says it was enforced', async () => {
    bench = await openWorkbench();
    const state = await carried(
      bench,
      plan(`  - id: reader
    workspace: read
    run: grep -q a a.txt && ! echo changed > a.txt && echo x > a.txt
    maxAttempts: 1
`),
    );
    const { lastRun } = actionOf(state, 'reader');
    expect(lastRun?.status).toBe('retryable');
    expect(lastRun?.error).toContain('Read-only file system');
    expect((await firstRun(state.id, 'reader'))?.enforcement).toMatchObject({
      sandbox: 'bubblewrap',
      filesystem: true,
    });
    expect(await briefOf(state.id, 'reader')).toContain('Enforced by bubblewrap: the workspace is read-only');
  });

  it('D29: without a sandbox the Run and its brief say that nothing is enforced, and so does every receipt', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(
      bench,
      `
goal: be honest
criteria:
  - text: changed
    check: grep -qx x a.txt
actions:
  - id: work
    run: echo x > a.txt
    for: [c1]
`,
    );
    const run = await firstRun(state.id, 'work');
    expect(run?.enforcement).toMatchObject({ sandbox: 'none', filesystem: false, processes: false });
    expect(run?.enforcement?.reason).toBeTruthy();
    expect(await briefOf(state.id, 'work')).toContain('Nothing is enforced on this machine');
    expect(actionOf(state, 'work').lastRun?.receipts[0]?.flags).toContain('not_sandboxed');
    expect(state.finalResult?.criteria[0]?.flags).toContain('not_sandboxed');
  });

  it('D29: what a reader wrote all the same, without a sandbox, never reaches the result', async () => {
    bench = await openWorkbench({ sandbox: false });
    const state = await carried(bench, plan('  - id: reader\n    workspace: read\n    run: echo sneaky > a.txt\n'));
    expect(state.lifecycle).toBe('done');
    expect(await bench.git('show', `workcenter/${state.id}:a.txt`)).toBe('a');
  });

  confined(
    "D31: an Action can neither move the user's refs nor write into their checkout or configuration",
    async () => {
      bench = await openWorkbench();
      const before = await bench.git('for-each-ref');
      const repo = `'${bench.repo}'`;
      const tries = [
        `git --git-dir ${repo}/.git update-ref refs/heads/main HEAD~0`,
        `git --git-dir ${repo}/.git branch mine`,
        `git -C ${repo} config core.hooksPath /`,
        `sh -c "echo x > ${repo}/a.txt"`,
        `sh -c "echo x > ${repo}/.git/hooks/post-checkout"`,
        `git push ${repo} HEAD:refs/heads/pushed`,
      ];
      const state = await carried(
        bench,
        plan(
          tries
            .map(
              (line, n) =>
                `  - id: try${n}\n    run: ['sh', '-c', ${JSON.stringify(`! ${line}`)}]\n    maxAttempts: 1\n`,
            )
            .join(''),
        ),
      );
      expect(state.lifecycle).toBe('done');
      const after = (await bench.git('for-each-ref')).split('\n').filter((line) => !line.includes('workcenter/'));
      expect(after).toEqual(before.split('\n'));
      expect(await bench.git('config', '--list', '--local')).not.toContain('hookspath');
      expect(await bench.git('status', '--porcelain')).toBe('');
    },
  );

  confined('D31: hooks, filters and aliases it leaves in its clone run nowhere outside its sandbox', async () => {
    bench = await openWorkbench();
    const marker = join(bench.root, 'marker');
    const evil = `touch '${marker}'; cat`;
    const script = [
      'for hook in pre-commit post-commit post-checkout post-merge reference-transaction post-index-change; do',
      `printf '#!/bin/sh\\ntouch "${marker}"\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done`,
      `git config filter.evil.clean "${evil}" && git config filter.evil.smudge "${evil}"`,
      `git config core.fsmonitor "touch '${marker}'" && git config core.sshCommand "touch '${marker}'"`,
      `echo '* filter=evil diff=evil merge=evil' > .gitattributes`,
      `git config diff.evil.textconv "${evil}" && git config merge.evil.driver "${evil}"`,
      'echo evil > a.txt',
    ].join('\n');
    const state = await carried(
      bench,
      `
goal: leave traps
delivery: merge
criteria:
  - text: changed
    check: grep -qx evil a.txt
actions:
  - id: trap
    run: ${JSON.stringify(script)}
    for: [c1]
  - id: beside
    run: echo x > b.txt
`,
    );
    expect(state.lifecycle).toBe('done');
    expect(existsSync(marker)).toBe(false);
    expect(await readFile(join(bench.repo, 'a.txt'), 'utf8')).toBe('evil\n');
  });

  confined('D31: an Action sees neither the data directory nor the workspace of another one', async () => {
    bench = await openWorkbench();
    const home = `'${bench.world.home.root}'`;
    const state = await carried(
      bench,
      plan(`  - id: owner
    workspace: shared
    run: echo private > treasure.txt
  - id: thief
    dependsOn: [owner]
    run: |
      set -eu
      rm treasure.txt
      test -z "$(find ${home} -name 'treasure*' -print -quit 2>/dev/null)"
      test ! -e ${home}/workcenter.db
      test ! -e ${home}/work/$WORKCENTER_ITEM/shared
      test "$(ls ${home}/runs | wc -l)" -le 1
      test ! -e ${home}/git/$WORKCENTER_ITEM.git/config
      git log -1 --format=%s
    maxAttempts: 1
`),
    );
    expect(actionOf(state, 'thief').lastRun?.error).toBeUndefined();
    expect(state.lifecycle).toBe('done');
  });

  confined("D31: it has a home and a temporary directory of its own, and not the person's", async () => {
    bench = await openWorkbench();
    const state = await carried(
      bench,
      plan(`  - id: homeless
    run: |
      set -eu
      test "$HOME" != '${bench.world.userHome}'
      test -z "$(ls -A '${bench.world.userHome}' 2>/dev/null | grep -v '^\\.' || true)"
      touch "$HOME/mine" "$TMPDIR/mine"
    maxAttempts: 1
`),
    );
    expect(actionOf(state, 'homeless').lastRun?.error).toBeUndefined();
  });
});
