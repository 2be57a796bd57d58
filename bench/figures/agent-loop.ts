import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../src/core/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { type Reply, startScriptedModel } from '../../src/testing.ts';
import type { Benchmark, BenchOptions, Line } from '../figure.ts';
import { create, itemId } from '../items.ts';
import { mustHave } from '../seed.ts';
import { median } from '../statistics.ts';
import { benchWorld } from '../world.ts';

const fileOf = (n: number): string => `file-${n}.txt`;

const claims = ['c1', 'c2'].map((criterion) => ({ criterion, status: 'passed', evidence: 'I read it.' }));
const known = { outcome: 'completed', summary: 'All is read.', evidence: [{ kind: 'text', label: 'Read.' }], claims };

/** The item of every benchmark, but that an agent carries it out, reading in the directory itself. */
function agentItem(item: string, directory: string): Command {
  const command = create(item, 1, { contract: { directory, workspace: 'in-place' } });
  if (command.body.type !== 'CreateItem') throw new Error('no item is created');
  const actions = command.body.actions.map(({ id, spec }) => ({
    id,
    spec: { ...spec, type: 'research', executor: { kind: 'agent', vp: 'researcher', assigned: 'fixed' } as const },
  }));
  return { ...command, body: { ...command.body, actions } };
}

/**
 * What one step of the agent costs beside the model: from the moment in which the scripted model has its answer until
 * the next request arrives there. In between lie both ways of HTTP, three durable commits, a small file that is read,
 * and the transcript.
 */
async function measure({ root, quick }: BenchOptions): Promise<readonly Line[]> {
  const steps = quick ? 5 : 150;
  const directory = join(root, 'agent-project');
  await mkdir(directory, { recursive: true });
  for (let n = 1; n <= steps; n++) await writeFile(join(directory, fileOf(n)), `What stands in file ${n}.\n`);
  const samples: number[] = [];
  let answeredMs: number | undefined;
  const reply = ({ turn }: { readonly turn: number }): Reply => {
    if (answeredMs !== undefined) samples.push(performance.now() - answeredMs);
    const next =
      turn <= steps ? { name: 'read', input: { path: fileOf(turn) } } : { name: 'submit_outcome', input: known };
    answeredMs = performance.now();
    return { toolCalls: [next] };
  };
  const model = await startScriptedModel({ name: 'at once', steps: [{ reply }] });
  const world = await benchWorld(join(root, 'agent'), 3);
  const engine = openEngine({ ...world, env: { WORKCENTER_SCRIPTED_URL: model.openaiUrl } });
  try {
    await engine.start();
    const item = itemId(1, 'agent');
    mustHave(await world.store.execute(agentItem(item, directory)));
    const state = await engine.untilSettled(item);
    if (state.lifecycle !== 'done')
      throw new Error(`${item} is ${state.lifecycle}: ${state.actions[0]?.lastRun?.error}`);
  } finally {
    await engine.stop();
    await world.store.close();
    await model.close();
  }
  const note = 'from an answer of the model to the next request: HTTP, three commits, one file read';
  return [{ name: 'agent.loop_ms', value: median(samples), unit: 'ms', n: samples.length, durability: 'full', note }];
}

export const agentLoop: Benchmark = { names: ['agent.loop_ms'], measure };
