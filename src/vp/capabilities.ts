/**
 * The types of work everybody knows, and words that mean nearly the same. No word stands in two rows and none is itself
 * a type, so that a VP which declares only types scores the same as any other that does.
 */
const RELATED: ReadonlyMap<string, readonly string[]> = new Map([
  ['triage', ['classify', 'prioritise', 'scope', 'estimate', 'plan', 'intake']],
  ['implement', ['build', 'code', 'develop', 'fix', 'program', 'feature']],
  ['test', ['qa', 'verify', 'coverage', 'regression', 'e2e', 'acceptance']],
  ['review', ['audit', 'critique', 'inspect', 'quality', 'security', 'feedback']],
  ['deliver', ['release', 'publish', 'ship', 'deploy', 'merge', 'package']],
  ['research', ['investigate', 'explore', 'analyse', 'compare', 'evaluate', 'survey']],
  ['design', ['architecture', 'architect', 'interface', 'prototype', 'model', 'ux']],
  ['diagnose', ['debug', 'troubleshoot', 'reproduce', 'trace', 'profile', 'bisect']],
  ['migrate', ['upgrade', 'port', 'convert', 'modernise', 'transition', 'refactor']],
  ['document', ['docs', 'documentation', 'readme', 'guide', 'manual', 'tutorial']],
  ['operate', ['ops', 'monitor', 'maintain', 'administer', 'configure', 'run']],
  ['write', ['draft', 'author', 'prose', 'copy', 'report', 'summarise']],
]);

/** The twelve types with built-in synonyms. */
export const KNOWN_CAPABILITIES: readonly string[] = Object.freeze([...RELATED.keys()]);

/** Synonyms of a known type; none for any other word, whatever objects may call their properties. */
export const relatedWords = (capability: string): readonly string[] => RELATED.get(capability) ?? [];

/** The words of a text, lower-case; letters and digits of any script. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** A text as a tag: its words joined by `-`; '' when it has none. */
export const tagOf = (text: string): string => wordsOf(text).join('-');

const EXACT = 4;
const WHOLE = 6;
const RELATED_WORD = 2;

/**
 * How well declared tags fit a capability; 0 for not at all. Whole words count, never parts of them: `test` is not in
 * `latest`.
 *
 * | A tag …                                                              | Adds       |
 * | -------------------------------------------------------------------- | ---------- |
 * | has all words of the capability (`review` in `security-review`)        | 6          |
 * | is the capability                                                    | 4 more     |
 * | has a synonym, or one word of a capability that is in no tag as a whole | 2 per word |
 */
export function capabilityScore(tags: readonly string[], capability: string): number {
  const wanted = wordsOf(capability);
  if (wanted.length === 0) return 0;
  const declared = tags.map((tag) => new Set(wordsOf(tag)));
  const isWhole = declared.some((words) => wanted.every((word) => words.has(word)));
  const near = new Set([...relatedWords(capability), ...(isWhole ? [] : wanted)]);
  const found = [...near].filter((word) => declared.some((words) => words.has(word)));
  const isExact = tags.includes(wanted.join('-'));
  return (isExact ? EXACT : 0) + (isWhole ? WHOLE : 0) + found.length * RELATED_WORD;
}

const SUFFIXES = ['s', 'es', 'ed', 'er', 'or', 'ing', 'ment', 'ation'];

/** The type of work or synonym behind a word of a description: `reviewer` and `reviews` mean `review`. */
export function knownWord(word: string): string | undefined {
  const stems = SUFFIXES.filter((suffix) => word.endsWith(suffix)).map((suffix) => word.slice(0, -suffix.length));
  const forms = [word, ...stems.flatMap((stem) => [stem, `${stem}e`])];
  const synonyms = [...RELATED.values()].flat();
  return forms.find((form) => RELATED.has(form)) ?? forms.find((form) => synonyms.includes(form));
}
