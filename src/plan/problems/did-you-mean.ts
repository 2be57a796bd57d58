/** Keys people bring along from neighbouring formats, and what they are called here. */
const OTHER_NAMES: Readonly<Record<string, string>> = Object.freeze({
  acceptance: 'criteria',
  acceptancecriteria: 'criteria',
  after: 'dependsOn',
  branchname: 'branch',
  cmd: 'run',
  command: 'run',
  commands: 'run',
  depends: 'dependsOn',
  description: 'brief',
  environment: 'env',
  exit: 'expectExit',
  exitcode: 'expectExit',
  install: 'setup',
  jobs: 'actions',
  needs: 'dependsOn',
  output: 'expectOutput',
  prompt: 'brief',
  retries: 'maxAttempts',
  script: 'run',
  steps: 'actions',
  tasks: 'actions',
  test: 'check',
  timeout: 'timeoutSec',
});

/** Edits (insert, delete, replace, swap of neighbours) between two words. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const edits = [(previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1)];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits.push((before[j - 2] ?? 0) + 1);
      row.push(Math.min(...edits));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The one of `known` that `word` was probably meant to be. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word);
  if (wanted === '' || wanted.length > 64) return undefined;
  const exact = known.find((candidate) => plain(candidate) === wanted);
  if (exact !== undefined) return exact;
  const translated = Object.hasOwn(OTHER_NAMES, wanted) ? OTHER_NAMES[wanted] : undefined;
  if (translated !== undefined && known.includes(translated)) return translated;
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(wanted, plain(candidate)) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : undefined;
}
