import { diffText } from '../../workspace/git/diff.ts';
import type { GitRepository } from '../../workspace/git/repository.ts';

/** A variable whose value nothing that we publish may hold. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Of larger results the rest is not looked through. */
const MAX_DIFF_BYTES = 32 * 1024 * 1024;
const NAMED_MAX = 10;

/**
 * Secrets that a result would publish: in lines that it adds, and in the names of its files (D38). What stood there
 * before is the person's own. Sentences that name file and variable; a file whose name gives it away is not named.
 */
export async function secretsInResult(
  repo: GitRepository,
  result: { readonly base: string; readonly commit: string; readonly paths: readonly string[] },
  secrets: readonly NamedSecret[],
): Promise<readonly string[]> {
  const { base, commit, paths } = result;
  if (secrets.length === 0 || paths.length === 0) return [];
  const names = paths.flatMap((path) => heldIn(path, secrets).map((name) => `a file name holds ${name}`));
  const { text } = await diffText(repo, base, commit, { maxBytes: MAX_DIFF_BYTES, contextLines: 0 });
  return [...new Set([...names, ...addedLines(text, secrets)])].slice(0, NAMED_MAX);
}

const heldIn = (text: string, secrets: readonly NamedSecret[]): readonly string[] =>
  secrets.flatMap(({ name, value }) => (text.includes(value) ? [name] : []));

const FILE = '+++ b/';

function addedLines(diff: string, secrets: readonly NamedSecret[]): readonly string[] {
  // Most results hold none: then no line has to be looked at.
  if (heldIn(diff, secrets).length === 0) return [];
  let path = '';
  return diff.split('\n').flatMap((line) => {
    if (line.startsWith(FILE)) path = line.slice(FILE.length);
    if (!line.startsWith('+') || line.startsWith(FILE)) return [];
    const isSafe = heldIn(path, secrets).length === 0;
    return heldIn(line, secrets).map((name) => `${isSafe ? path : 'a file'} holds ${name}`);
  });
}
