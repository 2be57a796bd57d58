import type { NewDelivery, NewItem } from '../../../src/client/index.ts';
import { CONTRACT_LIMITS } from '../../../src/core/model/contract.ts';
import type { SentFile } from '../attachments/sent-file.ts';

/** The server's own bounds, so that what cannot be sent is said while it is typed. */
export const LIMITS = Object.freeze({
  goalChars: CONTRACT_LIMITS.goalChars,
  criterionChars: CONTRACT_LIMITS.criterionChars,
  criteria: CONTRACT_LIMITS.criteriaMax,
  commandChars: 8_000,
  instructionsChars: 20_000,
  directoryChars: 4_096,
});

export type MinProof = 'self' | 'independent' | 'machine' | 'machine-protected';

export interface CriterionForm {
  /** Tells rows apart while they move; the id (c1…) comes from the position. */
  readonly key: string;
  readonly text: string;
  /** The check; none where it is blank. */
  readonly run: string;
  /** '': what follows from whether there is a check. */
  readonly minProof: MinProof | '';
  /** Globs, apart by commas or spaces, of files that are put back before a protected check. */
  readonly protect: string;
}

/** What somebody is about to ask for, as it was typed. */
export interface Form {
  /** Under it the item is created once, however often it is sent. */
  readonly key: string;
  readonly goal: string;
  readonly criteria: readonly CriterionForm[];
  readonly setup: string;
  /** The set-up that was put in for the person, as the directory asks for it: while `setup` is still that, it is not theirs. */
  readonly setupFound: string;
  readonly target: NewDelivery['target'];
  readonly branch: string;
  readonly directory: string;
  readonly instructions: string;
  readonly usd: string;
  readonly tokens: string;
  readonly hours: string;
  readonly allowUnmetered: boolean;
  readonly dirty: NonNullable<NewItem['dirty']>;
  readonly inPlace: boolean;
  readonly files: readonly SentFile[];
}

export const newKey = (): string => `page-${globalThis.crypto.randomUUID()}`;

export const blankCriterion = (text = ''): CriterionForm => ({
  key: newKey(),
  text,
  run: '',
  minProof: '',
  protect: '',
});

export const blankForm = (directory = ''): Form => ({
  ...{
    key: newKey(),
    goal: '',
    criteria: [blankCriterion()],
    setup: '',
    setupFound: '',
    target: 'workspace_files',
    branch: '',
  },
  ...{ directory, instructions: '', usd: '', tokens: '', hours: '', allowUnmetered: false },
  ...{ dirty: 'refuse', inPlace: false, files: [] },
});

/** The set-up as far as it is the person's own. */
const ownSetup = ({ setup, setupFound }: Form): string => (setup === setupFound ? '' : setup);

/** Nothing of it would be missed; a directory alone is only a preselection. */
export function isBlank(form: Form): boolean {
  const { goal, criteria, instructions, files, usd, tokens, hours } = form;
  const words = [goal, ownSetup(form), instructions, usd, tokens, hours];
  const checks = criteria.flatMap(({ text, run }) => [text, run]);
  return files.length === 0 && [...words, ...checks].every((text) => text.trim() === '');
}

/** What a person has said in it, whatever it is kept under and whatever was put in for them. */
const saidIn = (form: Form): string => JSON.stringify({ ...form, key: '', setup: ownSetup(form), setupFound: '' });

/**
 * What is left of a draft once it was created as it was sent: where more was typed meanwhile, all of it, as another
 * draft. Its files went with the work.
 */
export function leftAfter(sent: Form, now: Form): Form | undefined {
  if (isBlank(now) || saidIn(sent) === saidIn(now)) return undefined;
  const went = new Set(sent.files.map(({ id }) => id));
  return { ...now, key: newKey(), files: now.files.filter(({ id }) => !went.has(id)) };
}

/** With the set-up that a directory asks for, unless the person has said another, or that there is none. */
export const withFoundSetup = (form: Form, found: string): Form =>
  form.setup !== form.setupFound || form.setup === found ? form : { ...form, setup: found, setupFound: found };

/** In another directory: the set-up that the one before asked for says nothing of this one. */
export function withDirectory(form: Form, directory: string): Form {
  const isSame = form.directory.trim() === directory.trim();
  return isSame || form.setup !== form.setupFound
    ? { ...form, directory }
    : { ...form, directory, setup: '', setupFound: '' };
}

/** With a check of the project: in a row where nothing is said yet, else in one of its own. */
export function withCheck(form: Form, { text, run }: Pick<CriterionForm, 'text' | 'run'>): Form {
  const at = form.criteria.findIndex((each) => each.text.trim() === '' && each.run.trim() === '');
  const before = form.criteria[at];
  const criteria = before
    ? form.criteria.with(at, { ...before, text, run })
    : [...form.criteria, { ...blankCriterion(text), run }];
  return { ...form, criteria };
}
