import type { NewCriterion, NewItem } from '../../../src/client/index.ts';
import { microsOf, secondsOf, tokensOf } from './amounts.ts';
import { type CriterionForm, type Form, LIMITS, type MinProof } from './form.ts';

/** A part of the form; a criterion by its position. */
export type Field =
  | 'goal'
  | 'criteria'
  | `criterion.${number}`
  | 'setup'
  | 'delivery'
  | 'directory'
  | 'instructions'
  | 'usd'
  | 'tokens'
  | 'hours'
  | 'files';

/** What the page itself can see to be wrong; everything else is the server's to judge. */
export type Fault =
  | { readonly field: Field; readonly kind: 'missing' | 'invalid' }
  | { readonly field: Field; readonly kind: 'too_long'; readonly limit: number; readonly found: number };

export type Compiled = { readonly item: NewItem } | { readonly faults: readonly Fault[] };

const said = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

const isUsed = ({ text, run }: CriterionForm): boolean => text.trim() !== '' || run.trim() !== '';

/** The proofs that can be asked for: where nothing is run a machine proves nothing. */
export const proofsFor = (run: string): readonly MinProof[] =>
  run.trim() === '' ? ['self', 'independent'] : ['independent', 'machine', 'machine-protected'];

/** A check, with the files that are put back before it where it is to be protected. */
function checkOf({ run, minProof, protect }: CriterionForm): NewCriterion['check'] {
  const command = said(run);
  const globs = protect.split(/[\s,]+/).filter((glob) => glob !== '');
  if (command === undefined || minProof !== 'machine-protected' || globs.length === 0) return command;
  return { run: command, protect: globs };
}

function criterionOf(criterion: CriterionForm): NewCriterion {
  const { text, run, minProof } = criterion;
  const check = checkOf(criterion);
  const isPossible = minProof !== '' && proofsFor(run).includes(minProof);
  return { text: text.trim(), ...(check === undefined ? {} : { check }), ...(isPossible ? { minProof } : {}) };
}

const missing = (field: Field, text: string): readonly Fault[] =>
  text.trim() === '' ? [{ field, kind: 'missing' }] : [];

const tooLong = (field: Field, text: string, limit: number): readonly Fault[] =>
  text.trim().length > limit ? [{ field, kind: 'too_long', limit, found: text.trim().length }] : [];

/** Rows that were left empty are nobody's criteria; `at` is the place in the form. */
const criterionFaults = (criterion: CriterionForm, at: number): readonly Fault[] => {
  if (!isUsed(criterion)) return [];
  const field: Field = `criterion.${at}`;
  return [
    ...missing(field, criterion.text),
    ...tooLong(field, criterion.text, LIMITS.criterionChars),
    ...tooLong(field, criterion.run, LIMITS.commandChars),
  ];
};

const isBlank = (text: string): boolean => text.trim() === '';

/** The server knows no working directory and no home of whoever asks. */
export const isWholePath = (directory: string): boolean => directory.trim().startsWith('/');

const amountsOf = ({ usd, tokens, hours }: Form) =>
  [
    ['usd', 'costMicros', microsOf(usd)],
    ['tokens', 'tokens', tokensOf(tokens)],
    ['hours', 'wallClockSec', secondsOf(hours)],
  ] as const;

function faultsOf(form: Form): readonly Fault[] {
  return [
    ...missing('goal', form.goal),
    ...tooLong('goal', form.goal, LIMITS.goalChars),
    ...missing('directory', form.directory),
    ...(isBlank(form.directory) || isWholePath(form.directory)
      ? []
      : [{ field: 'directory', kind: 'invalid' } as const]),
    ...form.criteria.flatMap(criterionFaults),
    ...tooLong('setup', form.setup, LIMITS.commandChars),
    ...tooLong('instructions', form.instructions, LIMITS.instructionsChars),
    ...amountsOf(form).flatMap(([field, , amount]): Fault[] =>
      amount === 'invalid' ? [{ field, kind: 'invalid' }] : [],
    ),
  ];
}

function limitsOf(form: Form): NonNullable<NewItem['limits']> {
  const named = amountsOf(form).flatMap(([, limit, amount]) => (typeof amount === 'number' ? [[limit, amount]] : []));
  const allow = form.allowUnmetered && said(form.usd) !== undefined ? { allowUnmetered: true } : {};
  return { ...Object.fromEntries(named), ...allow };
}

function deliveryOf({ target, branch }: Form): NonNullable<NewItem['delivery']> {
  const goesIntoBranch = target === 'merge' || target === 'pull_request';
  const named = goesIntoBranch ? said(branch) : undefined;
  return { target, ...(named === undefined ? {} : { branch: named }) };
}

/** Criteria that were written; none: the goal is its own. */
export const usedCriteria = ({ criteria }: Form): readonly CriterionForm[] => criteria.filter(isUsed);

/** The body that creates what the form says. */
export function compileForm(form: Form, { start }: { readonly start: boolean }): Compiled {
  const faults = faultsOf(form);
  if (faults.length > 0) return { faults };
  const criteria = usedCriteria(form).map(criterionOf);
  const setup = said(form.setup);
  const instructions = said(form.instructions);
  const limits = limitsOf(form);
  const item: NewItem = {
    ...{ goal: form.goal.trim(), directory: form.directory.trim(), delivery: deliveryOf(form), start },
    ...(criteria.length === 0 ? {} : { criteria }),
    ...(setup === undefined ? {} : { setup }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(form.dirty === 'refuse' ? {} : { dirty: form.dirty }),
    ...(form.inPlace ? { inPlace: true } : {}),
    ...(form.files.length === 0 ? {} : { attachments: form.files.map(({ id }) => id) }),
  };
  return { item };
}
