import { heredocEnd, type PendingHeredoc } from './heredoc.ts';
import { commandsInside } from './inner-commands.ts';
import { finishCommand, type ShellWord, type SimpleCommand } from './shell-words.ts';

const MAX_CHARS = 65_536;
const MAX_DEPTH = 12;
/** Lines in a line: wrappers in wrappers have more readings than anyone can follow. */
const MAX_INNER_LINES = 200;

/**
 * Every simple command that a line would run, those in `$(…)`, backquotes, subshells, `sh -c '…'` and `eval` included,
 * or null where this cannot be said for sure: the caller then has to expect anything. Understood is what POSIX shells
 * share; `case`, functions, arithmetic, `[[`, a program whose name is only known at run time and everything that is not
 * closed are not.
 */
export function simpleCommands(line: string): readonly SimpleCommand[] | null {
  const budget = { lines: MAX_INNER_LINES };
  const commands = commandsAt(line, 0, budget);
  return budget.lines < 0 ? null : commands;
}

/** A line that stands in another one, `depth` levels deep. */
function commandsAt(line: string, depth: number, budget: Reader['budget']): readonly SimpleCommand[] | null {
  budget.lines -= 1;
  if (budget.lines < 0 || line.length > MAX_CHARS || depth > MAX_DEPTH || /[\0\r]/.test(line)) return null;
  try {
    return all({ text: line, depth, budget, found: [], at: 0, nesting: 0, heredocs: [] });
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/** Thrown from any depth of a line, caught where reading it began; never leaves this file. */
class NotUnderstood extends Error {}

function giveUp(): never {
  throw new NotUnderstood();
}

/** A line and the place in it; every function starts there and leaves it behind what it read. */
interface Reader {
  readonly text: string;
  /** How deep in other lines this one stands. */
  readonly depth: number;
  /** How many more lines may be read, in all of the outermost one. */
  readonly budget: { lines: number };
  readonly found: SimpleCommand[];
  at: number;
  nesting: number;
  heredocs: PendingHeredoc[];
}

function all(r: Reader): readonly SimpleCommand[] {
  list(r, '');
  if (r.at < r.text.length || r.heredocs.length > 0) giveUp();
  return r.found;
}

function peek(r: Reader, length = 1): string {
  return r.text.slice(r.at, r.at + length);
}

/** Commands up to `end` (left unread) or the end of the text. */
function list(r: Reader, end: '' | ')'): void {
  r.nesting += 1;
  if (r.nesting + r.depth > MAX_DEPTH) giveUp();
  while (r.at < r.text.length && peek(r) !== ')') command(r);
  if (peek(r) !== end) giveUp();
  r.nesting -= 1;
}

/** One simple command with the separator behind it. */
function command(r: Reader): void {
  const words: ShellWord[] = [];
  const writes: string[] = [];
  let closed = false;
  for (;;) {
    blanks(r);
    const char = peek(r);
    if (char === '' || char === ')') break;
    if (separator(r)) break;
    if (char === '(') {
      if (words.length > 0 || closed) giveUp();
      group(r);
      closed = true;
    } else if (!redirect(r, writes)) {
      if (closed) giveUp();
      words.push(word(r));
    }
  }
  add(r, words, writes);
}

function add(r: Reader, words: readonly ShellWord[], writes: readonly string[]): void {
  const command = finishCommand(words, writes) ?? giveUp();
  if (command === 'nothing') return;
  r.found.push(command.shown);
  const read = (text: string) => commandsAt(text, r.depth + r.nesting + 1, r.budget);
  r.found.push(...(commandsInside(command.program, read) ?? giveUp()));
}

function group(r: Reader): void {
  r.at += 1;
  if (peek(r) === '(') giveUp();
  list(r, ')');
  r.at += 1;
}

function blanks(r: Reader): void {
  for (;;) {
    if (peek(r) === ' ' || peek(r) === '\t') r.at += 1;
    else if (peek(r, 2) === '\\\n') r.at += 2;
    else break;
  }
  if (peek(r) !== '#') return;
  const end = r.text.indexOf('\n', r.at);
  r.at = end < 0 ? r.text.length : end;
}

/** Reads what ends a command. A line break also passes the bodies of heredocs. */
function separator(r: Reader): boolean {
  if (peek(r, 2) === ';;') giveUp();
  if (peek(r, 2) === '&>') return false;
  const length = /^(?:&&|\|\||\|&|[;&|\n])/.exec(peek(r, 2))?.[0].length ?? 0;
  if (length === 0) return false;
  const isLine = peek(r) === '\n';
  r.at += length;
  if (isLine) passHeredocs(r);
  return true;
}

function passHeredocs(r: Reader): void {
  for (const heredoc of r.heredocs) r.at = heredocEnd(r.text, r.at, heredoc) ?? giveUp();
  r.heredocs = [];
}

function redirect(r: Reader, writes: string[]): boolean {
  const rest = r.text.slice(r.at, r.at + 12);
  const operator = /^(?:\d{0,3}(?:<<-|<<<|<<|<&|<>|<\(|<|>\(|>>|>&|>\||>)|&>>|&>)/.exec(rest)?.[0];
  if (operator === undefined) return false;
  const kind = operator.replace(/^\d+/, '');
  if (kind.endsWith('(') || kind === '<<<') giveUp();
  r.at += operator.length;
  blanks(r);
  const target = word(r);
  if (kind === '<<' || kind === '<<-') openHeredoc(r, target, kind === '<<-');
  else if (kind !== '<' && kind !== '<&' && !copiesOrDrops(kind, target)) writes.push(`>${target.shown}`);
  return true;
}

function openHeredoc(r: Reader, target: ShellWord, stripsTabs: boolean): void {
  if (target.dynamic || target.text === '' || target.text.includes('\n')) giveUp();
  r.heredocs.push({ end: target.text, literal: target.quoted, stripsTabs });
}

function word(r: Reader): ShellWord {
  const start = r.at;
  const word = { text: '', dynamic: false, quoted: false, globbed: false };
  while (!/^[\s;&|()<>]?$/.test(peek(r))) piece(r, word);
  if (r.at === start || peek(r) === '(') giveUp();
  const source = r.text.slice(start, r.at);
  return { ...word, shown: shown(word, source), assigns: /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(source) };
}

function piece(r: Reader, word: { text: string; dynamic: boolean; quoted: boolean; globbed: boolean }): void {
  const char = peek(r);
  if (char === "'") {
    const end = r.text.indexOf("'", r.at + 1);
    if (end < 0) giveUp();
    word.text += r.text.slice(r.at + 1, end);
    word.quoted = true;
    r.at = end + 1;
  } else if (char === '"') doubleQuoted(r, word);
  else if (char === '\\') {
    const next = r.text[r.at + 1] ?? giveUp();
    r.at += 2;
    if (next === '\n') return;
    word.text += next;
    word.quoted = true;
  } else if (char === '$' || char === '`') expansion(r, word, false);
  else {
    word.text += char;
    if (/[*?[\]{}~]/.test(char)) word.globbed = true;
    r.at += 1;
  }
}

function doubleQuoted(r: Reader, word: { text: string; dynamic: boolean; quoted: boolean }): void {
  word.quoted = true;
  r.at += 1;
  while (peek(r) !== '"') {
    const char = peek(r);
    if (char === '') giveUp();
    if (char === '$' || char === '`') expansion(r, word, true);
    else {
      const escaped = char === '\\' && /[$`"\\\n]/.test(r.text[r.at + 1] ?? '');
      const literal = escaped ? r.text[r.at + 1] : char;
      if (literal !== '\n' || !escaped) word.text += literal;
      r.at += escaped ? 2 : 1;
    }
  }
  r.at += 1;
}

/** `$x`, `${x}`, `$(…)` or backquotes; a lone `$` stands for itself. */
function expansion(r: Reader, word: { text: string; dynamic: boolean }, inQuotes: boolean): void {
  const start = r.at;
  if (peek(r) === '`') backquotes(r);
  else if (peek(r, 2) === '$(') {
    r.at += 1;
    group(r);
  } else {
    const simple = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]|\{[^{}$`'"\\\n]*\})/.exec(r.text.slice(r.at))?.[0];
    if (simple === undefined) {
      // A line joined behind the dollar may begin an expansion after all.
      if (/^\$(?:\{|\\\n)/.test(peek(r, 3)) || (!inQuotes && /^\$['"]/.test(peek(r, 2)))) giveUp();
      word.text += '$';
      r.at += 1;
      return;
    }
    r.at += simple.length;
  }
  word.dynamic = true;
  word.text += r.text.slice(start, r.at);
}

function backquotes(r: Reader): void {
  const end = r.text.indexOf('`', r.at + 1);
  const inner = r.text.slice(r.at + 1, end);
  if (end < 0 || inner.includes('\\')) giveUp();
  r.found.push(...(commandsAt(inner, r.depth + r.nesting, r.budget) ?? giveUp()));
  r.at = end + 1;
}

function copiesOrDrops(operator: string, target: ShellWord): boolean {
  if (target.text === '/dev/null') return true;
  return operator === '>&' && /^(?:\d+-?|-)$/.test(target.shown);
}

/** One way to write one word: plain where it needs no quotes, as it stands where it is only known at run time. */
function shown(word: { text: string; dynamic: boolean; globbed: boolean; quoted: boolean }, source: string): string {
  if (word.dynamic) return source;
  if (/^[\w@%+=:,./^-]+$/.test(word.text) || (word.globbed && !word.quoted)) return word.text;
  return `'${word.text.replaceAll("'", `'\\''`)}'`;
}
