import { posix } from 'node:path';
import type { ShellWord, SimpleCommand } from './shell-words.ts';

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);

/** Programs that run the program named in their arguments. */
const WRAPPERS = new Set(
  (
    'sudo doas env nohup nice ionice timeout command exec builtin xargs setsid stdbuf find parallel watch busybox ' +
    'script chroot unshare nsenter bwrap strace ltrace taskset flock time su runuser ssh entr'
  ).split(' '),
);

/** Behind a wrapper, each word is looked at as a program with all that follows. */
const MAX_STARTS = 300;

/** The commands of a line; null if it is not understood. */
type ReadLine = (line: string) => readonly SimpleCommand[] | null;

/** The name of a program without its directory. */
export const programName = (word: string): string => posix.basename(word);

/** Whether a program may run whatever its arguments say. */
export const runsOthers = (program: string): boolean => WRAPPERS.has(program) || SHELLS.has(program);

/** Every place in the words of a command where a program may begin, from 0. */
export function programStarts(words: readonly string[]): number[] {
  if (words.length === 0) return [];
  return WRAPPERS.has(programName(words[0] ?? '')) ? words.map((_, index) => index) : [0];
}

/**
 * The commands in the text that a command hands to a shell (`sh -c '…'`, `eval …`), also behind a wrapper.
 * Null if that text is not understood or only known at run time.
 */
export function commandsInside(words: readonly ShellWord[], read: ReadLine): readonly SimpleCommand[] | null {
  const found: SimpleCommand[] = [];
  const starts = programStarts(words.map((word) => word.text));
  if (starts.length > MAX_STARTS) return null;
  for (const start of starts) {
    const script = scriptOf(words.slice(start));
    if (script === undefined) continue;
    const inner = script === null ? null : read(script);
    if (inner === null) return null;
    found.push(...inner);
  }
  return [...found, ...phrasesIn(words, read)];
}

/** Some wrappers take a whole line as one word (`watch 'make test'`, `ssh host 'make test'`). */
function phrasesIn(words: readonly ShellWord[], read: ReadLine): SimpleCommand[] {
  if (!WRAPPERS.has(programName(words[0]?.text ?? ''))) return [];
  const phrases = words.filter((word) => !word.dynamic && /\s/.test(word.text));
  return phrases.flatMap((word) => read(word.text) ?? []);
}

/** Undefined: hands over no text. Null: hands over one that is only known at run time. */
function scriptOf(words: readonly ShellWord[]): string | null | undefined {
  const [program, ...args] = words;
  if (program === undefined) return undefined;
  if (program.text === 'eval') return literalText(args);
  if (program.text === 'trap') return literalText(args.slice(0, 1));
  if (!SHELLS.has(programName(program.text))) return undefined;
  if (args.some((word) => word.dynamic)) return null;
  const flag = args.findIndex((word) => /^-[A-Za-z]*c[A-Za-z]*$/.test(word.text));
  // Without a script to read it reads its input, which may be anything.
  if (flag < 0) return args.every((word) => /^[-+]/.test(word.text)) ? null : undefined;
  const script = args.slice(flag + 1).find((word) => !/^[-+]/.test(word.text));
  return script === undefined ? null : literalText([script]);
}

function literalText(words: readonly ShellWord[]): string | null {
  return words.some((word) => word.dynamic || word.globbed) ? null : words.map((word) => word.text).join(' ');
}
