import { heredocEnd, type PendingHeredoc } from './heredoc.ts';
import { commandsInside } from './inner-commands.ts';
import { finishCommand, type ShellWord, type SimpleCommand } from './shell-words.ts';

const MAX_CHARS = 65_536;
const MAX_DEPTH = 12;

/**
 * Every simple command that a line would run, those in `$(…)`, backquotes, subshells, `sh -c '…'` and `eval` included,
 * or null where this cannot be said for sure: the caller then has to expect anything. Understood is what POSIX shells
 * share; `case`, functions, arithmetic, `[[`, a program whose name is only known at run time and everything that is not
 * closed are not.
 */
export function simpleCommands(line: string): readonly SimpleCommand[] | null {
  return commandsAt(line, 0);
}

/** A line that stands in another one, `depth` levels deep. */
function commandsAt(line: string, depth: number): readonly SimpleCommand[] | null {
  if (line.length > MAX_CHARS || depth > MAX_DEPTH || /[\0\r]/.test(line)) return null;
  try {
    return new LineReader(line, depth).all();
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

class NotUnderstood extends Error {}

function giveUp(): never {
  throw new NotUnderstood();
}

/** Holds the place in the text; every method starts at it and leaves it behind what it read. */
class LineReader {
  readonly #text: string;
  readonly #depth: number;
  readonly #found: SimpleCommand[] = [];
  #at = 0;
  #nesting = 0;
  #heredocs: PendingHeredoc[] = [];

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  all(): readonly SimpleCommand[] {
    this.#list('');
    if (this.#at < this.#text.length || this.#heredocs.length > 0) giveUp();
    return this.#found;
  }

  #peek(length = 1): string {
    return this.#text.slice(this.#at, this.#at + length);
  }

  /** Commands up to `end` (left unread) or the end of the text. */
  #list(end: '' | ')'): void {
    this.#nesting += 1;
    if (this.#nesting + this.#depth > MAX_DEPTH) giveUp();
    while (this.#at < this.#text.length && this.#peek() !== ')') this.#command();
    if (this.#peek() !== end) giveUp();
    this.#nesting -= 1;
  }

  /** One simple command with the separator behind it. */
  #command(): void {
    const words: ShellWord[] = [];
    const writes: string[] = [];
    let closed = false;
    for (;;) {
      this.#blanks();
      const char = this.#peek();
      if (char === '' || char === ')') break;
      if (this.#separator()) break;
      if (char === '(') {
        if (words.length > 0 || closed) giveUp();
        this.#group();
        closed = true;
      } else if (!this.#redirect(writes)) {
        if (closed) giveUp();
        words.push(this.#word());
      }
    }
    this.#add(words, writes);
  }

  #add(words: readonly ShellWord[], writes: readonly string[]): void {
    const command = finishCommand(words, writes) ?? giveUp();
    if (command === 'nothing') return;
    this.#found.push(command.shown);
    const read = (text: string) => commandsAt(text, this.#depth + this.#nesting + 1);
    this.#found.push(...(commandsInside(command.program, read) ?? giveUp()));
  }

  #group(): void {
    this.#at += 1;
    if (this.#peek() === '(') giveUp();
    this.#list(')');
    this.#at += 1;
  }

  #blanks(): void {
    for (;;) {
      if (this.#peek() === ' ' || this.#peek() === '\t') this.#at += 1;
      else if (this.#peek(2) === '\\\n') this.#at += 2;
      else break;
    }
    if (this.#peek() !== '#') return;
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Reads what ends a command. A line break also passes the bodies of heredocs. */
  #separator(): boolean {
    if (this.#peek(2) === ';;') giveUp();
    if (this.#peek(2) === '&>') return false;
    const length = /^(?:&&|\|\||\|&|[;&|\n])/.exec(this.#peek(2))?.[0].length ?? 0;
    if (length === 0) return false;
    const isLine = this.#peek() === '\n';
    this.#at += length;
    if (isLine) this.#passHeredocs();
    return true;
  }

  #passHeredocs(): void {
    for (const heredoc of this.#heredocs) this.#at = heredocEnd(this.#text, this.#at, heredoc) ?? giveUp();
    this.#heredocs = [];
  }

  #redirect(writes: string[]): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 12);
    const operator = /^(?:\d{0,3}(?:<<-|<<<|<<|<&|<>|<\(|<|>\(|>>|>&|>\||>)|&>>|&>)/.exec(rest)?.[0];
    if (operator === undefined) return false;
    const kind = operator.replace(/^\d+/, '');
    if (kind.endsWith('(') || kind === '<<<') giveUp();
    this.#at += operator.length;
    this.#blanks();
    const target = this.#word();
    if (kind === '<<' || kind === '<<-') this.#openHeredoc(target, kind === '<<-');
    else if (kind !== '<' && kind !== '<&' && !copiesOrDrops(kind, target)) writes.push(`>${target.shown}`);
    return true;
  }

  #openHeredoc(target: ShellWord, stripsTabs: boolean): void {
    if (target.dynamic || target.text === '' || target.text.includes('\n')) giveUp();
    this.#heredocs.push({ end: target.text, literal: target.quoted, stripsTabs });
  }

  #word(): ShellWord {
    const start = this.#at;
    const word = { text: '', dynamic: false, quoted: false, globbed: false };
    while (!/^[\s;&|()<>]?$/.test(this.#peek())) this.#piece(word);
    if (this.#at === start || this.#peek() === '(') giveUp();
    const source = this.#text.slice(start, this.#at);
    return { ...word, shown: shown(word, source), assigns: /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(source) };
  }

  #piece(word: { text: string; dynamic: boolean; quoted: boolean; globbed: boolean }): void {
    const char = this.#peek();
    if (char === "'") {
      const end = this.#text.indexOf("'", this.#at + 1);
      if (end < 0) giveUp();
      word.text += this.#text.slice(this.#at + 1, end);
      word.quoted = true;
      this.#at = end + 1;
    } else if (char === '"') this.#doubleQuoted(word);
    else if (char === '\\') {
      const next = this.#text[this.#at + 1] ?? giveUp();
      this.#at += 2;
      if (next === '\n') return;
      word.text += next;
      word.quoted = true;
    } else if (char === '$' || char === '`') this.#expansion(word, false);
    else {
      word.text += char;
      if (/[*?[\]{}~]/.test(char)) word.globbed = true;
      this.#at += 1;
    }
  }

  #doubleQuoted(word: { text: string; dynamic: boolean; quoted: boolean }): void {
    word.quoted = true;
    this.#at += 1;
    while (this.#peek() !== '"') {
      const char = this.#peek();
      if (char === '') giveUp();
      if (char === '$' || char === '`') this.#expansion(word, true);
      else {
        const escaped = char === '\\' && /[$`"\\\n]/.test(this.#text[this.#at + 1] ?? '');
        const literal = escaped ? this.#text[this.#at + 1] : char;
        if (literal !== '\n' || !escaped) word.text += literal;
        this.#at += escaped ? 2 : 1;
      }
    }
    this.#at += 1;
  }

  /** `$x`, `${x}`, `$(…)` or backquotes; a lone `$` stands for itself. */
  #expansion(word: { text: string; dynamic: boolean }, inQuotes: boolean): void {
    const start = this.#at;
    if (this.#peek() === '`') this.#backquotes();
    else if (this.#peek(2) === '$(') {
      this.#at += 1;
      this.#group();
    } else {
      const simple = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]|\{[^{}$`'"\\\n]*\})/.exec(this.#text.slice(this.#at))?.[0];
      if (simple === undefined) {
        // A line joined behind the dollar may begin an expansion after all.
        if (/^\$(?:\{|\\\n)/.test(this.#peek(3)) || (!inQuotes && /^\$['"]/.test(this.#peek(2)))) giveUp();
        word.text += '$';
        this.#at += 1;
        return;
      }
      this.#at += simple.length;
    }
    word.dynamic = true;
    word.text += this.#text.slice(start, this.#at);
  }

  #backquotes(): void {
    const end = this.#text.indexOf('`', this.#at + 1);
    const inner = this.#text.slice(this.#at + 1, end);
    if (end < 0 || inner.includes('\\')) giveUp();
    this.#found.push(...(commandsAt(inner, this.#depth + this.#nesting) ?? giveUp()));
    this.#at = end + 1;
  }
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
