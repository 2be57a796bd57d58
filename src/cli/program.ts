/*
 * How a command line becomes an exit code: `main` is the process and `shell` all it may touch; `program` parses with
 * `options` and loads one `command` of the `catalog`; what it answers is an `answer`, said with `exit-codes` and `errors`.
 * What commands share: `app` (store, item, principal), `world` (the engine), `change` (one command to one item or
 * Action), `plan-source`, `new-goal/` (what a goal's words mean), `settings/`, `requests`, `attachments`; for pages
 * `item-page` and `talk`; and for following a Run `carry`, `follow`, `progress`, `live-screen`, `run-output`. `server/` is
 * the way to the server of this data directory, which changes are asked of first, and to one elsewhere.
 */

import { Command, CommanderError } from 'commander';
import { type Failure, failure, isFailure, type Outcome } from './answer.ts';
import { CATALOG, type CatalogEntry } from './catalog.ts';
import type { CommandModule } from './command.ts';
import { completeFailure } from './complete-failure.ts';
import { failureJson, failureOf, sayFailure } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { refusedInRun } from './refused-in-run.ts';
import { openShell, type Shell } from './shell.ts';

const HEADER = 'Durable work for AI agents that is not done until it is proven.';
const FOOTER = `
Exit codes: 0 ok, 1 internal, 2 invalid, 3 refused, 4 not found, 5 needs a person, 6 cancelled, 7 store, 130 interrupted.
Data directory: WORKCENTER_HOME, else the usual place of this system. Help on a command: workcenter COMMAND --help`;

/** The first word that is not an option names the command. */
const chosenIn = (args: readonly string[]): CatalogEntry | undefined => {
  const word = args.find((arg) => !arg.startsWith('-'));
  return CATALOG.find((entry) => entry.name === word);
};

function bare(version: string): Command {
  return new Command('workcenter')
    .description(HEADER)
    .version(version, '-V, --version')
    .showSuggestionAfterError(true)
    .showHelpAfterError(false)
    .helpCommand('help [command]', 'help on a command')
    .addHelpText('after', FOOTER);
}

interface Typed {
  readonly module: CommandModule;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Parses the command line; what was typed, or the code that commander ended with. */
async function parse(args: readonly string[], version: string, said: string[]): Promise<Typed | number> {
  const program = bare(version);
  let typed: Typed | undefined;
  const chosen = chosenIn(args[0] === 'help' ? args.slice(1) : args);
  for (const { name, summary } of CATALOG) {
    const sub = program.command(name).description(summary);
    if (name !== chosen?.name) continue;
    const module = await chosen.load();
    module.define(sub);
    sub.option('--json', 'print one JSON document').option('--no-color', 'no colours');
    sub.addHelpText('after', `\nExamples:\n${module.examples.map((line) => `  ${line}`).join('\n')}`);
    sub.action(() => {
      typed = { module, args: sub.args, options: sub.opts() };
    });
  }
  for (const each of [program, ...program.commands]) {
    each.exitOverride().configureOutput({ writeErr: (text) => said.push(text) });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return typed ?? EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.invalid;
    throw error;
  }
}

function usageFailure(said: readonly string[], args: readonly string[]): Failure {
  const text = said.join('').trim();
  const [first = 'The command line cannot be read.', ...rest] = text.split('\n');
  const help = /^usage:/i.test(first) ? text : undefined;
  const message = first.replace(/^error: /, '');
  const name = chosenIn(args)?.name;
  const hint = rest.join(' ').replace(/[()]/g, '').trim() || `workcenter ${name === undefined ? '' : `${name} `}--help`;
  const expected = name === undefined ? 'a command' : `the arguments and options of ${name}`;
  const found = `workcenter ${args.join(' ')}`;
  return help === undefined
    ? failure(EXIT.invalid, 'usage', message, { expected, found, next: hint })
    : failure(EXIT.invalid, 'usage', 'Which command?', { expected: 'a command', text: help });
}

function print(shell: Shell, outcome: Outcome): number {
  if (shell.json) {
    const document = outcome.type === 'answer' ? outcome.json : failureJson(outcome);
    shell.out(JSON.stringify(document));
  } else if (outcome.type === 'failure') shell.err(sayFailure(outcome, shell.paint));
  else if (outcome.text !== '') shell.out(outcome.text);
  return outcome.exit;
}

const needsLocalStore = (name: string, url: string): Failure =>
  failure(EXIT.refused, 'needs_local_store', `workcenter ${name} works on the machine of the data only.`, {
    expected: 'no WORKCENTER_URL',
    found: `WORKCENTER_URL=${url}`,
    next: 'Run it on the machine of the server, or unset WORKCENTER_URL to use the data of this one.',
  });

async function carryOut(shell: Shell, name: string, typed: Typed): Promise<Outcome> {
  const { WORKCENTER_RUN: runId, WORKCENTER_DEBUG: debug } = shell.env;
  if (runId !== undefined && typed.module.userOnly) return refusedInRun(`workcenter ${name}`, runId);
  const { WORKCENTER_URL: url = '' } = shell.env;
  if (url !== '') {
    // A token that stands beside the address would lend what works here the authority of a person.
    if (runId !== undefined) return refusedInRun('A server elsewhere', runId);
    if (typed.module.remote?.(typed) !== true) return needsLocalStore(name, url);
  }
  try {
    return await typed.module.run(shell, typed);
  } catch (error) {
    if (debug !== undefined && error instanceof Error) shell.err(error.stack ?? error.message);
    return failureOf(error);
  }
}

/** Runs one command line; answers the exit code. */
export async function runProgram(args: readonly string[], version: string): Promise<number> {
  const json = args.includes('--json');
  const shell = openShell(version, { json, colour: !args.includes('--no-color') });
  const said: string[] = [];
  const typed = await parse(args, version, said).catch(failureOf);
  if (isFailure(typed)) return print(shell, typed);
  if (typed === EXIT.ok) return EXIT.ok;
  if (typeof typed === 'number') return print(shell, usageFailure(said, args));
  const name = chosenIn(args)?.name ?? '';
  const outcome = await carryOut(shell, name, typed);
  return print(shell, isFailure(outcome) ? completeFailure(outcome, { name, args: typed.args }) : outcome);
}
