import { type ItemState, identityOf, isWriter } from '../../core/index.ts';
import type { Assigned } from '../../vp/index.ts';
import type { CompileInput } from './compile-input.ts';
import type { Problem } from './complaints.ts';
import type { WrittenAction } from './schema.ts';

/**
 * Whose work a review judges, and who therefore may not do it: the writers of its sources; where those wrote nothing,
 * or where it has none, everybody who has written so far (D24).
 */
function authorsUnderReview(state: ItemState, sources: readonly string[]): readonly string[] {
  const all = [
    ...state.writes.map(({ actionId, identity }) => ({ actionId, identity })),
    ...state.actions
      .filter(({ spec, status, result }) => status === 'completed' && isWriter(spec) && result?.changedPaths.length)
      .map(({ id }) => ({ actionId: id, identity: identityOf(state, id) })),
  ];
  const ofSources = all.filter(({ actionId }) => sources.includes(actionId));
  return [...new Set((ofSources.length > 0 ? ofSources : all).map(({ identity }) => identity))];
}

/** The VP for an Action, or what is wrong with the wish. Nobody is chosen in place of who was asked for. */
export function assignVp(action: WrittenAction, path: string, input: CompileInput): Assigned | readonly Problem[] {
  const { vp: candidates = [], capability, assignmentReason = '', type, sources = [] } = action;
  const wrong = wishProblems(action, path, input);
  if (wrong.length > 0) return wrong;
  const assigned = input.assign(
    {
      mode: candidates.length > 0 ? 'planned' : 'auto',
      capability: capability ?? type,
      actionType: type,
      candidateIds: candidates,
      reason: assignmentReason,
      separateFrom: type === 'review' ? authorsUnderReview(input.state, sources) : [],
    },
    input.vps,
  );
  if ('vp' in assigned) return assigned;
  return [{ path: `${path}.vp`, expected: assigned.next, found: assigned.message }];
}

function wishProblems({ type, vp = [], assignmentReason }: WrittenAction, path: string, { vps }: CompileInput) {
  const known = new Set(vps.map(({ id }) => id));
  const problems: Problem[] = vp.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `${path}.vp[${at}]`, expected: 'the id of a VP in `vps`', found: id }],
  );
  if (vp.length > 0 && assignmentReason === undefined)
    problems.push({ path: `${path}.assignmentReason`, expected: 'why these VPs', found: '' });
  // A VP is made by one that exists and was chosen for it (D34).
  if (type === 'create_vp' && vp.length !== 1)
    problems.push({ path: `${path}.vp`, expected: 'exactly one VP, for create_vp', found: `${vp.length}` });
  return problems;
}
