import type { ItemState } from '../core/model/item.ts';
import type { HumanRequest } from '../core/model/request.ts';
import { type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

const isRequestId = (word: string): boolean => /^r\d+$/.test(word);

function notFound(state: ItemState, id: string): Failure {
  const open = state.requests.map((known) => known.id).join(', ') || 'none';
  return failure(EXIT.notFound, 'request_not_found', `Item ${state.id} has no open request ${id}.`, {
    expected: `one of: ${open}`,
    found: id,
    next: 'It may have been answered already.',
  });
}

/** The open requests that a command may mean, and the words that are not their name. */
interface Addressed {
  readonly request: HumanRequest;
  readonly words: readonly string[];
}

/**
 * `r2 retry` names its request; without a name the only open one that fits is meant, and where there are more the
 * person has to say which.
 */
export function addressed(
  state: ItemState,
  words: readonly string[],
  fits: (request: HumanRequest) => boolean = () => true,
): Addressed | Failure {
  const [first = '', ...rest] = words;
  if (isRequestId(first)) {
    const named = state.requests.find(({ id }) => id === first);
    return named ? { request: named, words: rest } : notFound(state, first);
  }
  const open = state.requests.filter(fits);
  const [only, ...others] = open;
  if (!only) {
    return failure(EXIT.notFound, 'request_not_found', `Item ${state.id} asks nothing of that kind.`, {
      expected: 'an open request that this answers',
      found: state.requests.map(({ id, subject }) => `${id} ${subject.kind}`).join(', ') || 'no open request',
      next: `workcenter show ${state.id}`,
    });
  }
  if (others.length === 0) return { request: only, words };
  return failure(EXIT.invalid, 'request_ambiguous', `Item ${state.id} has ${open.length} open requests.`, {
    expected: `the id of one: ${open.map(({ id }) => id).join(', ')}`,
    found: first || 'none',
    next: `workcenter show ${state.id}`,
  });
}
