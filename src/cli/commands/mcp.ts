import { answer, isFailure, type Outcome } from '../answer.ts';
import { type App, principalOf, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { flagOption, type Input } from '../options.ts';
import { refusedInRun } from '../refused-in-run.ts';
import type { Shell } from '../shell.ts';
import { submitWith } from '../submit-with.ts';

/** The client is an agent unless a person lends it their authority; nothing inside of a Run has any to lend (D16). */
function principalFor(shell: Shell, asUser: boolean) {
  const { WORKCENTER_RUN: runId } = shell.env;
  if (asUser && runId !== undefined) return refusedInRun('workcenter mcp --as-user', runId);
  return asUser || runId !== undefined ? principalOf(shell) : undefined;
}

async function serve(app: App, input: Input): Promise<Outcome> {
  const { shell, store } = app;
  const principal = principalFor(shell, flagOption(input, 'asUser'));
  if (isFailure(principal)) return principal;
  const { serveMcpStdio } = await import('../../api/mcp/index.ts');
  const { stdin, stdout } = process;
  await serveMcpStdio({
    ...{ store, version: shell.version, now: shell.now, submit: submitWith(app) },
    ...{ stdin, stdout, signal: shell.interruptible() },
    ...(principal === undefined ? {} : { principal }),
  });
  return answer('', null);
}

export const mcp: CommandModule = {
  define: (command) =>
    void command.option('--as-user', "with your authority: what the client's model calls counts as your word"),
  examples: ['workcenter mcp', 'workcenter mcp --as-user'],
  userOnly: false,
  run: (shell, input) => withApp(shell, (app) => serve(app, input)),
};
