/** One program call of a shell line; all texts are written the one way `render` writes them. */
export interface SimpleCommand {
  /** `NAME=value` before the program. */
  readonly assignments: readonly string[];
  /** Program and arguments. Empty where a line only assigns or redirects. */
  readonly words: readonly string[];
  /** `>file`: what it writes besides its output. Nothing for `/dev/null` and for copies like `2>&1`. */
  readonly writes: readonly string[];
}

export interface ShellWord {
  /** What the shell would make of it, expansions as they stand. */
  readonly text: string;
  /** Written the one way that patterns are matched against. */
  readonly shown: string;
  /** Holds an expansion: its value is only known at run time. */
  readonly dynamic: boolean;
  readonly quoted: boolean;
  /** Holds an unquoted `*`, `?`, `[`, `{` or `~`. */
  readonly globbed: boolean;
  /** Begins with `NAME=`, unquoted. */
  readonly assigns: boolean;
}

/** Words before a command that only say how it is run. */
const LEADING = new Set(['!', '{', 'if', 'then', 'elif', 'else', 'while', 'until', 'do']);
/** Words that end something; what follows is a redirection or nothing. */
const CLOSING = new Set(['}', 'fi', 'done']);
/** What cannot be followed word by word. */
const NOT_FOLLOWED = new Set(['case', 'esac', 'function', 'select', 'coproc', '[[', '((', 'alias']);

export interface FinishedCommand {
  readonly shown: SimpleCommand;
  /** Program and arguments as words. */
  readonly program: readonly ShellWord[];
}

/** The words of one command without the grammar around it; null if this cannot be said for sure. */
export function finishCommand(
  words: readonly ShellWord[],
  writes: readonly string[],
): FinishedCommand | 'nothing' | null {
  const rest = withoutGrammar(words);
  if (rest === null) return null;
  const first = rest.findIndex((word) => !word.assigns);
  const program = first < 0 ? [] : rest.slice(first);
  const assignments = first < 0 ? rest : rest.slice(0, first);
  const name = program[0];
  if (name !== undefined && (name.dynamic || (name.globbed && name.text !== '['))) return null;
  if (rest.length === 0 && writes.length === 0) return 'nothing';
  const shown = { assignments: assignments.map(textOf), words: program.map(textOf), writes };
  return { shown, program };
}

const textOf = (word: ShellWord): string => word.shown;

function withoutGrammar(words: readonly ShellWord[]): readonly ShellWord[] | null {
  let at = 0;
  for (;;) {
    const word = words[at];
    if (word === undefined || word.quoted) return words.slice(at);
    if (NOT_FOLLOWED.has(word.text)) return null;
    if (word.text === 'for') return isLoopHead(words.slice(at)) ? [] : null;
    if (CLOSING.has(word.text)) return words.length === at + 1 ? [] : null;
    if (!LEADING.has(word.text)) return words.slice(at);
    at += 1;
  }
}

/** `for NAME` or `for NAME in …`: runs nothing itself. */
function isLoopHead(words: readonly ShellWord[]): boolean {
  const [, name, keyword] = words;
  return /^[A-Za-z_]\w*$/.test(name?.text ?? '') && (keyword === undefined || keyword.text === 'in');
}
