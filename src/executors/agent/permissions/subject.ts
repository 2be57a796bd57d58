import { posix } from 'node:path';
import picomatch from 'picomatch';
import { programName, programStarts } from './inner-commands.ts';
import { type Rule, subjectKind } from './policy.ts';
import { simpleCommands } from './shell-line.ts';
import type { SimpleCommand } from './shell-words.ts';
import { matchesWildcard } from './wildcard.ts';

/** One thing that a call touches; a call with several is allowed only where each is. */
export type Part =
  | { readonly kind: 'command'; readonly command: SimpleCommand }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'none' }
  /** Not in the workspace; the tool itself will refuse it. Fits like `opaque`. */
  | { readonly kind: 'elsewhere'; readonly why: string }
  /** Could not be taken apart: fits no rule that allows, and every one that does not. */
  | { readonly kind: 'opaque'; readonly why: string };

/** Directories of the Run; both absolute. */
export interface Place {
  /** What the paths of rules start from. */
  readonly workspacePath: string;
  /** What the paths of calls start from. */
  readonly projectPath: string;
}

/** The parts of a subject as `AgentTool.subject` gives it; several paths stand on lines of their own. */
export function partsOf(tool: string, subject: string, place: Place): readonly Part[] {
  switch (subjectKind(tool)) {
    case 'command': {
      const commands = simpleCommands(subject);
      if (commands === null) return [{ kind: 'opaque', why: 'This command line cannot be taken apart for certain.' }];
      return commands.map((command) => ({ kind: 'command', command }));
    }
    case 'path':
      return subject.split('\n').map((path) => pathPart(path, place));
    case 'url': {
      const isUrl = URL.canParse(subject);
      return [isUrl ? { kind: 'url', url: new URL(subject) } : { kind: 'opaque', why: 'This is not a URL.' }];
    }
    case 'none':
      return [{ kind: 'none' }];
  }
}

function pathPart(text: string, { workspacePath, projectPath }: Place): Part {
  if (text.startsWith('attachment:')) return { kind: 'path', path: text };
  const path = posix.relative(workspacePath, posix.resolve(projectPath, text));
  if (path === '..' || path.startsWith('../')) return { kind: 'elsewhere', why: `${text} is not in the workspace.` };
  return { kind: 'path', path: path === '' ? '.' : path };
}

/**
 * Whether a rule fits a part. Rules that allow fit narrowly (a command exactly as it is written, with everything it
 * sets and writes); rules that do not allow fit widely (also behind `sudo`, `env`, `xargs`, a directory, a variable).
 */
export function fits(rule: Rule, tool: string, part: Part): boolean {
  if (!matchesWildcard(rule.tool, tool)) return false;
  if (part.kind === 'opaque' || part.kind === 'elsewhere') return rule.decide !== 'allow';
  if (rule.command !== undefined) return part.kind === 'command' && fitsCommand(rule.command, rule, part.command);
  if (rule.path !== undefined) return part.kind === 'path' && fitsPath(rule.path, part.path);
  if (rule.url !== undefined) return part.kind === 'url' && fitsUrl(rule.url, part.url);
  return true;
}

function fitsCommand(pattern: string, rule: Rule, command: SimpleCommand): boolean {
  const narrow = commandText(command);
  if (rule.decide === 'allow')
    return matchesWildcard(pattern, narrow) && (command.writes.length === 0 || pattern.includes('>'));
  const { words, writes } = command;
  const wide = programStarts(words).flatMap((start) => {
    const [program = '', ...args] = words.slice(start);
    const named = [programName(program), ...args];
    return [words.slice(start), named, [...named, ...writes]].map((text) => text.join(' '));
  });
  return [narrow, ...wide].some((text) => matchesWildcard(pattern, text));
}

/** A command on one line, the way patterns see it. */
export function commandText(command: SimpleCommand): string {
  return [...command.assignments, ...command.words, ...command.writes].join(' ');
}

function fitsPath(pattern: string, path: string): boolean {
  return picomatch.isMatch(path, pattern, { dot: true });
}

/** A `*` in the host never reaches into the path, or `https://*.example.org/` would fit any host. */
function fitsUrl(pattern: string, url: URL): boolean {
  const [, origin = '', rest = ''] = /^([a-z*]+:\/\/[^/]+)(.*)$/i.exec(pattern) ?? [];
  if (!matchesWildcard(origin.toLowerCase(), `${url.protocol}//${url.host}`)) return false;
  return rest === '' || matchesWildcard(rest, `${url.pathname}${url.search}`);
}
