import type { CommandOf, Decision } from '../../core/index.ts';
import { decisionProblems } from '../../core/rules/decision-rules.ts';
import { idSource } from './action-ids.ts';
import { compileAction } from './compile-action.ts';
import { compileContract } from './compile-contract.ts';
import type { CompileInput } from './compile-input.ts';
import type { Problem } from './complaints.ts';
import type { WrittenDecision, WrittenPart } from './schema.ts';

/** The body of a `Decide` command without its fence. */
export type Decided = Pick<CommandOf<'Decide'>, 'decisions' | 'reply' | 'reason' | 'title'>;

/** What the core may be asked to do; or everything that is wrong, for the one repair (D17). */
export type Compiled = Readonly<
  { kind: 'decided'; decided: Decided } | { kind: 'complaints'; complaints: readonly Problem[] }
>;

type Part = Decision | readonly Problem[];
const isProblems = (part: object): part is readonly Problem[] => Array.isArray(part);

/**
 * Turns the model's words into the core's decisions: ids, VPs and defaults are added, intent is not changed. Also asks
 * the core's own rules, so that one repair gets all complaints at once; `decide` judges again, in its transaction.
 */
export function compileDecision({ decisions, reply, reason, title }: WrittenDecision, input: CompileInput): Compiled {
  const parts = decisions.map((part, at) => compilePart(part, `decisions[${at}]`, input));
  const good = parts.filter((part): part is Decision => !isProblems(part));
  const complaints = [
    ...replyProblems(reply, input),
    ...parts.filter(isProblems).flat(),
    // With a part missing the others would be judged as a set that nobody meant.
    ...(good.length === parts.length
      ? decisionProblems(input.state, input.turn, good).map((problem) => placed(problem, good))
      : []),
  ];
  if (complaints.length > 0) return { kind: 'complaints', complaints };
  const label = title === undefined ? undefined : tidyTitle(title);
  return { kind: 'decided', decided: { decisions: good, reply, reason, ...(label ? { title: label } : {}) } };
}

/** First word of a path of the core's, and the decision that it speaks of. */
const PLACES: Readonly<Record<string, Decision['kind']>> = Object.freeze({
  actions: 'create_actions',
  supersede: 'create_actions',
  guidance: 'guide_actions',
  closures: 'close_actions',
  question: 'request_human',
  options: 'request_human',
  complete: 'complete',
  propose_contract: 'propose_contract',
});

/** The core names places within one decision; the model has to find them in its list. */
function placed(problem: Problem, decisions: readonly Decision[]): Problem {
  const [first = ''] = problem.path.split(/[.[]/);
  const kind = Object.hasOwn(PLACES, first) ? PLACES[first] : undefined;
  const at = decisions.findIndex((decision) => decision.kind === kind);
  if (at === -1) return problem;
  const within = first === kind ? problem.path.slice(first.length) : `.${problem.path}`;
  return { ...problem, path: `decisions[${at}]${within}` };
}

const replyProblems = (reply: string, { turn }: CompileInput): readonly Problem[] =>
  turn.origin === 'user' && reply.trim() === ''
    ? [{ path: 'reply', expected: 'words for the person, who wrote', found: '' }]
    : [];

function compilePart(part: WrittenPart, path: string, input: CompileInput): Part {
  switch (part.kind) {
    case 'answer':
    case 'guide_actions':
    case 'close_actions':
    case 'complete':
      return part;
    case 'request_human':
      return { ...part, options: part.options ?? [] };
    case 'create_actions':
      return createActions(part, path, input);
    case 'propose_contract':
      return proposeContract(part, path, input);
  }
}

function createActions(
  part: Extract<WrittenPart, { kind: 'create_actions' }>,
  path: string,
  input: CompileInput,
): Part {
  const nextId = idSource(
    input.state,
    part.actions.flatMap(({ id }) => id ?? []),
  );
  const compiled = part.actions.map((action, at) => compileAction(action, `${path}.actions[${at}]`, input, nextId));
  const problems = compiled.filter(isProblems).flat();
  if (problems.length > 0) return problems;
  return {
    kind: 'create_actions',
    actions: compiled.flatMap((action) => (isProblems(action) ? [] : [action])),
    supersede: part.supersede ?? [],
  };
}

/** Authority first: an automatic turn learns that it may not, not how it could (D20). */
function proposeContract(
  part: Extract<WrittenPart, { kind: 'propose_contract' }>,
  path: string,
  input: CompileInput,
): Part {
  if (input.turn.origin !== 'user')
    return [{ path, expected: 'no proposal: the contract is for a person to change', found: 'an automatic turn' }];
  const contract = compileContract(part, path, input.state);
  return 'goal' in contract ? { kind: 'propose_contract', contract } : contract;
}

const TITLE = Object.freeze({ words: 12, chars: 80 });

/** A title is a label: it is shortened, never refused (D5). */
export function tidyTitle(title: string): string {
  const words = title.trim().split(/\s+/u);
  const few = words.slice(0, TITLE.words).join(' ');
  if (few.length <= TITLE.chars) return words.length > TITLE.words ? `${few}…` : few;
  return `${[...few].slice(0, TITLE.chars - 1).join('')}…`;
}
