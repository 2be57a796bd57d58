import { z } from 'zod';
import type { AgentTool, Capability, ToolContext, ToolOutput } from '../../../tool.ts';
import { type Ended, runCommandLine } from './run-command-line.ts';
import type { ShellToolOptions } from './shell-options.ts';
import { workingDirectory } from './working-directory.ts';

const DEFAULT_TIMEOUT_SEC = 120;
const MAX_TIMEOUT_SEC = 600;
/** A command that prints nothing for so long waits for something that will not come. */
const SILENCE_SEC = 300;
/** Starting, ending and sweeping up, beyond what the command itself may take. */
const MARGIN_MS = 60_000;

const input = z.strictObject({
  command: z.string().min(1).max(65_536).describe('A line or a script for /bin/sh.'),
  timeoutSec: z.number().int().min(1).max(MAX_TIMEOUT_SEC).default(DEFAULT_TIMEOUT_SEC),
  cwd: z.string().max(4_096).optional().describe('A directory in the workspace; the project by default.'),
});

export type ShellInput = z.infer<typeof input>;

/**
 * Runs a shell line in the sandbox of the Run.
 *
 * | Mode and machine                        | Capability   |
 * | --------------------------------------- | ------------ |
 * | the network is open, in any mode        | acts_outside |
 * | a writing mode                          | writes       |
 * | `read`, the file system is enforced     | reads        |
 * | `read`, it is not                       | writes: refused |
 */
export function shellTool(options: ShellToolOptions): AgentTool<ShellInput> {
  return {
    name: 'shell',
    description:
      'Runs a line or script with /bin/sh in the workspace, sandboxed. There is no input and no terminal, and nobody ' +
      'answers prompts. Everything it starts ends with the call: a server in the background is gone afterwards, so ' +
      'start it and use it in one command. HOME and TMPDIR are private and stay for this Run. Of long output the ' +
      'beginning and the end are shown. Prefer the other tools for reading, searching and editing files.',
    input,
    capability: (_, context) => capabilityOf(context),
    subject: ({ command }) => command,
    timeoutMs: MAX_TIMEOUT_SEC * 1_000 + MARGIN_MS,
    run: (given, context) => runShell(given, context, options),
  };
}

function capabilityOf({ mode, network, confinement }: ToolContext): Capability {
  if (network === 'all') return 'acts_outside';
  return mode === 'read' && confinement.enforcement.filesystem ? 'reads' : 'writes';
}

async function runShell(given: ShellInput, context: ToolContext, options: ShellToolOptions): Promise<ToolOutput> {
  const cannot = (text: string): ToolOutput => ({ text, isError: true, effect: 'none' });
  if (context.mode === 'read' && !context.confinement.enforcement.filesystem)
    return cannot(
      'This Action only reads, and this machine has no sandbox that would keep a command from writing. ' +
        'Use read, glob, grep, list and git_read.',
    );
  const directory = await workingDirectory(given.cwd, context);
  if ('refusal' in directory) return cannot(directory.refusal);
  const ended = await runCommandLine({
    command: given.command,
    cwd: directory.path,
    timeoutMs: given.timeoutSec * 1_000,
    silenceMs: (options.silenceSec ?? SILENCE_SEC) * 1_000,
    context,
    options,
  });
  context.signal.throwIfAborted();
  const output = outputOf(ended, given, capabilityOf(context));
  return ended.whole === undefined ? output : { ...output, kept: [ended.whole] };
}

function outputOf({ exit, text }: Ended, { timeoutSec }: ShellInput, capability: Capability): ToolOutput {
  const mayHaveActed = capability === 'acts_outside' ? { effect: 'unknown' as const } : {};
  const tell = (how: string): string => `${text === '' ? '(no output)\n' : withLineEnd(text)}[${how}]`;
  switch (exit.cause) {
    case 'exited': {
      const left = exit.detail === undefined ? '' : `; ${exit.detail}`;
      return { text: tell(`exit code ${exit.exitCode ?? exit.signal}${left}`) };
    }
    case 'timed_out':
      return {
        text: tell(`timed_out: ended after ${timeoutSec} s. Give it a higher timeoutSec (at most 600) or less to do.`),
        isError: true,
        ...mayHaveActed,
      };
    case 'silent':
      return {
        text: tell(`silent: ${exit.detail ?? 'no output for too long'} It may have waited for input; there is none.`),
        isError: true,
        ...mayHaveActed,
      };
    case 'aborted':
      return { text: tell(`aborted: ${exit.detail ?? ''}`), isError: true, ...mayHaveActed };
    case 'spawn_failed':
      return { text: tell(`It did not start: ${exit.detail ?? 'no reason given'}`), isError: true, effect: 'none' };
  }
}

const withLineEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
