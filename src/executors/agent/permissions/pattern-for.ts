import { posix } from 'node:path';
import { programName, runsOthers } from './inner-commands.ts';
import { type Rule, subjectKind } from './policy.ts';
import type { SimpleCommand } from './shell-words.ts';
import { commandText, type Part, type Place, partsOf } from './subject.ts';

/** Programs whose first argument names what they do, and those of them where it takes two. */
const WITH_SUBCOMMAND = new Set(
  (
    'git npm pnpm yarn bun deno cargo go docker podman kubectl helm gh glab make just pip pip3 uv poetry mvn gradle ' +
    'dotnet bundle rake composer mix terraform brew apt apt-get systemctl'
  ).split(' '),
);
/** Two words that only a third makes one. */
const WITH_THIRD = new Set([
  'npm run',
  'pnpm run',
  'yarn run',
  'bun run',
  'docker compose',
  'gh pr',
  'gh issue',
  'go mod',
  'git stash',
]);
/** Subcommands that run whatever stands behind them. */
const RUNS_ANY = new Set(['run', 'exec', 'x', 'dlx', 'create', 'debug', 'submodule', 'bisect', 'rebase', 'config']);

/**
 * The rule behind "allow this pattern for this Action": one program with its subcommand, one folder, one origin, one
 * tool; never more. Null where nothing can be allowed beyond the very call: several commands in one line, a line that
 * is not understood, a program that runs others.
 */
export function patternFor(call: Place & { readonly tool: string; readonly subject: string }): Rule | null {
  const { tool } = call;
  if (subjectKind(tool) === 'none') return tool.includes('*') ? null : { tool, decide: 'allow' };
  const parts = partsOf(tool, call.subject, call);
  const [part] = parts;
  if (part === undefined || parts.length > 1 || tool.includes('*')) return null;
  const pattern = patternOf(part);
  return pattern === null ? null : { tool, ...pattern, decide: 'allow' };
}

function patternOf(part: Part): Pick<Rule, 'command' | 'path' | 'url'> | null {
  switch (part.kind) {
    case 'command':
      return commandPattern(part.command);
    case 'path':
      return pathPattern(part.path);
    case 'url':
      return /^https?:$/.test(part.url.protocol) ? { url: `${part.url.protocol}//${part.url.host}/*` } : null;
    case 'none':
    case 'elsewhere':
    case 'opaque':
      return null;
  }
}

function commandPattern(command: SimpleCommand): { command: string } | null {
  const [program = '', subcommand = '', second = ''] = command.words;
  const exact = commandText(command);
  if (exact.includes('*') || runsOthers(programName(program))) return null;
  const plain = command.assignments.length === 0 && command.writes.length === 0;
  if (!plain || !WITH_SUBCOMMAND.has(program) || !isName(subcommand)) return { command: exact };
  const pair = `${program} ${subcommand}`;
  if (WITH_THIRD.has(pair)) return { command: isName(second) ? `${pair} ${second} *` : exact };
  return { command: RUNS_ANY.has(subcommand) ? exact : `${pair} *` };
}

const isName = (word: string): boolean => /^[A-Za-z][\w:-]*$/.test(word);

function pathPattern(path: string): { path: string } | null {
  if (/[*?[\]{}()!+@\\]/.test(path)) return null;
  const folder = posix.dirname(path);
  return { path: folder === '.' ? path : `${folder}/**` };
}
