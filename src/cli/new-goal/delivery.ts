import type { Delivery } from '../../core/model/contract.ts';
import { bad, type Failure } from '../answer.ts';

/** Words for a delivery target (D25); the first of a target is the one that help shows. */
const TARGETS: Readonly<Record<string, Delivery['target']>> = {
  response: 'response',
  branch: 'workspace_files',
  files: 'workspace_files',
  workspace_files: 'workspace_files',
  pr: 'pull_request',
  pull_request: 'pull_request',
  merge: 'merge',
};

const EXPECTED = 'response, branch, files, pr, pr:BASE, merge or merge:BRANCH';

/** `pr:main`. Without a branch of its own a target keeps `fallback`, the branch that is checked out. */
export function deliveryOf(text: string, fallback?: string): Delivery | Failure {
  const [word = '', ...rest] = text.split(':');
  const target = Object.hasOwn(TARGETS, word) ? TARGETS[word] : undefined;
  const named = rest.join(':');
  if (target === undefined) return bad('--deliver cannot be that.', EXPECTED, text);
  const takesBranch = target === 'pull_request' || target === 'merge';
  if (!takesBranch && rest.length > 0) return bad(`${word} takes no branch.`, EXPECTED, text);
  if (takesBranch && rest.length > 0 && named === '') return bad('--deliver names no branch.', EXPECTED, text);
  const branch = named || fallback;
  return takesBranch && branch !== undefined ? { target, branch } : { target };
}
