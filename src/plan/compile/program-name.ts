/** Words that start something else and say nothing about who works. */
const CARRIERS = new Set(['exec', 'env', 'nice', 'nohup', 'command', 'time', 'sudo', 'npx', 'bunx', 'uvx']);
const PREPARATIONS = new Set(['cd', 'set', 'export', 'source', '.', 'mkdir', 'umask', 'ulimit', 'trap']);

const baseName = (word: string): string =>
  word
    .replace(/^["']|["']$/g, '')
    .split('/')
    .at(-1) ?? word;

function programOf(words: readonly string[]): string | undefined {
  return words
    .filter((word) => word !== '' && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word) && !word.startsWith('-'))
    .map(baseName)
    .find((word) => !CARRIERS.has(word));
}

/**
 * The name of the program that a command line mainly starts: `claude` for `cd web && FOO=1 claude -p …`. A reading of
 * the surface, not of the shell's grammar; whoever needs certainty writes `identity`.
 */
export function programName(run: string | readonly string[]): string {
  if (typeof run !== 'string') return programOf(run) ?? 'command';
  const steps = run
    .split(/\n|;|&&|\|\||\|/)
    .map((step) => step.trim())
    .filter((step) => step !== '' && !step.startsWith('#'));
  const names = steps.flatMap((step) => programOf(step.split(/\s+/)) ?? []);
  return (names.find((name) => !PREPARATIONS.has(name)) ?? names[0] ?? 'command').slice(0, 64);
}
