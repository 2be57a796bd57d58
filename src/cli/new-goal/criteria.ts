import { CONTRACT_LIMITS, type Criterion, MIN_PROOFS, type MinProof } from '../../core/model/contract.ts';
import { PLAN_DEFAULTS } from '../../plan/read/schema.ts';
import { bad, type Failure, isFailure } from '../answer.ts';

/** What a person said about criteria, in the order in which it was typed. */
export interface CriteriaWords {
  readonly goal: string;
  /** `--criterion TEXT`, which become c1, c2… */
  readonly texts: readonly string[];
  /** `--check ID=COMMAND` */
  readonly checks: readonly string[];
  /** `--min-proof ID=STRENGTH` */
  readonly minProofs: readonly string[];
}

const DEFAULT_CHECK = Object.freeze({
  timeoutSec: PLAN_DEFAULTS.checkTimeoutSec,
  expectExit: 0,
  protect: [],
  network: 'loopback',
} as const);

const plain = (text: string, index: number): Criterion => ({
  id: `c${index + 1}`,
  version: 1,
  text: text.trim(),
  minProof: 'self',
});

const idsOf = (criteria: readonly Criterion[]): string => criteria.map(({ id }) => id).join(', ');

/** `c1=words` as its two halves. */
function pairOf(text: string, flag: string): { readonly id: string; readonly value: string } | Failure {
  const at = text.indexOf('=');
  const [id, value] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (id !== '' && value !== '') return { id, value };
  return bad(`--${flag} cannot be "${text}".`, `ID=${flag === 'check' ? 'COMMAND' : 'STRENGTH'}`, text);
}

function tooLongText(criteria: readonly Criterion[]): Failure | undefined {
  const { criterionChars } = CONTRACT_LIMITS;
  const long = criteria.find(({ text }) => text.length > criterionChars);
  const blank = criteria.find(({ text }) => text === '');
  if (blank) return bad(`Criterion ${blank.id} is empty.`, 'a sentence that can be true or false', 'nothing');
  if (!long) return undefined;
  const found = `${long.text.length} characters`;
  return bad(`Criterion ${long.id} is too long.`, `at most ${criterionChars} characters`, found);
}

/** The goal itself where nothing else says when it is met; what is too long for that has to be said in parts. */
function base({ goal, texts, checks }: CriteriaWords): readonly Criterion[] | Failure {
  if (texts.length > 0) return texts.map(plain);
  const named = checks.map((text) => text.split('=', 1)[0]?.trim());
  if (checks.length > 0 && !named.includes('c1')) return [];
  if (goal.trim().length <= CONTRACT_LIMITS.criterionChars) return [plain(goal, 0)];
  const expected = `--criterion TEXT, or a goal of at most ${CONTRACT_LIMITS.criterionChars} characters`;
  const next = 'Say with --criterion how you will know that it is met; it may be given several times.';
  return bad('So long a goal cannot be its own criterion.', expected, `${goal.trim().length} characters`, next);
}

/** Adds a check to its criterion, or makes the criterion that the command succeeds. */
function withCheck(criteria: readonly Criterion[], text: string, given: number): readonly Criterion[] | Failure {
  const pair = pairOf(text, 'check');
  if (isFailure(pair)) return pair;
  const check = { ...DEFAULT_CHECK, run: pair.value };
  const known = criteria.find(({ id }) => id === pair.id);
  if (known?.check) return bad(`Criterion ${pair.id} has two checks.`, 'one check for each criterion', text);
  if (known) return criteria.map((each) => (each === known ? { ...each, check, minProof: 'machine' } : each));
  if (given > 1) return bad('--check names no criterion.', `an id of: ${idsOf(criteria)}`, pair.id);
  const words = `${pair.value} succeeds`.slice(0, CONTRACT_LIMITS.criterionChars);
  return [...criteria, { id: pair.id, version: 1, text: words, minProof: 'machine', check }];
}

const isMinProof = (text: string): text is MinProof => MIN_PROOFS.some((strength) => strength === text);

function withMinProof(criteria: readonly Criterion[], text: string): readonly Criterion[] | Failure {
  const pair = pairOf(text, 'min-proof');
  if (isFailure(pair)) return pair;
  const { id, value } = pair;
  const known = criteria.find((each) => each.id === id);
  if (!known) return bad('--min-proof names no criterion.', `an id of: ${idsOf(criteria)}`, id);
  if (!isMinProof(value)) return bad('--min-proof cannot be that.', MIN_PROOFS.join(', '), value);
  if (value.startsWith('machine') && !known.check) {
    const next = `Give it a check: --check ${id}=COMMAND`;
    return bad(`Criterion ${id} has no check that a machine could run.`, 'self or independent', value, next);
  }
  return criteria.map((each) => (each === known ? { ...each, minProof: value } : each));
}

function each(
  criteria: readonly Criterion[],
  given: readonly string[],
  apply: (criteria: readonly Criterion[], text: string) => readonly Criterion[] | Failure,
): readonly Criterion[] | Failure {
  return given.reduce<readonly Criterion[] | Failure>(
    (made, text) => (isFailure(made) ? made : apply(made, text)),
    criteria,
  );
}

/**
 * How the person will know that the goal is met (D6, D23). Without a word about it, the goal itself is c1; a check for an
 * id that is not there makes a criterion of its own, unless several were worded: then it is a typing mistake.
 */
export function criteriaOf(words: CriteriaWords): readonly Criterion[] | Failure {
  const begun = base(words);
  if (isFailure(begun)) return begun;
  const checked = each(begun, words.checks, (made, text) => withCheck(made, text, words.texts.length));
  if (isFailure(checked)) return checked;
  const most = CONTRACT_LIMITS.criteriaMax;
  if (checked.length > most) {
    const next = 'Join some, or split the goal into several items.';
    return bad('Too many criteria.', `1..${most} criteria`, `${checked.length}`, next);
  }
  return tooLongText(checked) ?? each(checked, words.minProofs, withMinProof);
}
