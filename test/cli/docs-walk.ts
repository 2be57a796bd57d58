import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { SCENARIO } from '../../src/cli/demo/demo-model.ts';
import type { ScriptedScenario } from '../../src/testing.ts';
import { agent, commission, complete, coordinator, create, decide, submit, write } from '../support/scripted-agent.ts';

const exec = promisify(execFile);
const PAGE = new URL('../../docs/api.md', import.meta.url);
const CLIENT_PAGE = new URL('../../docs/client.md', import.meta.url);

/** Which of the tools that the page needs are not on this machine. */
export async function missingTools(): Promise<readonly string[]> {
  const tools = ['bash', 'curl', 'jq'];
  const found = await Promise.all(
    tools.map((tool) =>
      exec('sh', ['-c', `command -v ${tool}`]).then(
        () => tool,
        () => '',
      ),
    ),
  );
  return tools.filter((tool) => !found.includes(tool));
}

/** The shell blocks of the walk in docs/api.md, as they stand. */
export async function walkBlocks(): Promise<readonly string[]> {
  const page = await readFile(PAGE, 'utf8');
  const [, section = ''] = /^## From a goal to its result\n([\s\S]*?)^## /m.exec(page) ?? [];
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Runs them as one script; what it printed. A command that fails ends it, and throws. */
export async function runBlocks(
  blocks: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const script = `set -euo pipefail\n${blocks.join('\n')}\necho "item: $ID"\n`;
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
  return (await exec('bash', ['-c', script], options)).stdout;
}

/** The demo's story, with a question before it begins and an ear for what is said while the two bugs are mended. */
export async function askingStory(): Promise<ScriptedScenario> {
  const { steps, ...rest } = parse(await readFile(SCENARIO, 'utf8')) as ScriptedScenario;
  const ends = steps.slice(0, 2);
  const noted = {
    name: 'Coordinator: at work',
    when: { tools: ['decide'], conversation: '"id":"rounding"' },
    reply: decide({ reply: 'Noted.', decisions: [{ kind: 'answer' }] }),
  };
  const asks = {
    name: 'Coordinator: asks first',
    when: { tools: ['decide'], times: 1 },
    reply: decide({ decisions: [{ kind: 'request_human', question: 'One after the other, or both at once?' }] }),
  };
  return { ...rest, steps: [...ends, noted, asks, ...steps.slice(2)] };
}

/** The example of docs/client.md, for a server at `url`. */
export async function clientExample(url: string): Promise<string> {
  const page = await readFile(CLIENT_PAGE, 'utf8');
  const [, block = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  return block.replace('http://127.0.0.1:7420', url);
}

/** What it takes to have hello.txt greet. */
export const greeting: ScriptedScenario = {
  name: 'a greeting',
  steps: [
    coordinator(
      decide({ decisions: [create(commission('a', { for: ['c1'] }))] }),
      decide({ decisions: [complete('It greets.')] }),
    ),
    agent(/Make a true/, write('hello.txt', 'Hello!\n'), submit('Wrote hello.txt.')),
  ],
};
