import { type ActionState, type Evidence, type ItemState, OUTCOME_LIMITS, type Outcome } from '../../core/index.ts';
import { type Captured, captureWorkspace } from '../../workspace/isolated/capture.ts';
import { stamp } from '../repository.ts';
import type { World } from '../world.ts';
import { namedSecretsIn, secretsOf } from './confinement.ts';
import { secretsInResult } from './secrets-in-result.ts';
import type { Workplace } from './workplace.ts';

export type Capture =
  | {
      readonly kind: 'captured';
      readonly commit: string;
      readonly paths: readonly string[];
      /** What did not become part of the commit, and what looks odd about it. */
      readonly notes: readonly Evidence[];
    }
  | { readonly kind: 'refused'; readonly outcome: Extract<Outcome, { kind: 'retryable' }> };

const refuse = (code: string, error: string): Capture => ({
  kind: 'refused',
  outcome: { kind: 'retryable', code, error },
});

/** Makes one commit of what an Action left in its clone; what cannot be in it is named, never dropped in silence (D31). */
export async function captureResult(
  world: World,
  state: ItemState,
  action: ActionState,
  workplace: Workplace,
): Promise<Capture> {
  if (!workplace.repo) return refuse('workspace_lost', 'There is no repository to capture into.');
  const captured = await captureWorkspace({
    repo: workplace.repo,
    path: workplace.path,
    base: workplace.base,
    ref: `refs/workcenter/actions/${action.id}/${action.generation}`,
    message: `${action.spec.name}\n\nWork-Center-Item: ${state.id}\nWork-Center-Action: ${action.id}`,
    ...stamp(world.now()),
    mayPublish: (words) => !secretsOf(world, action.spec).some((secret) => words.includes(secret)),
    ...(workplace.merge ? { merge: workplace.merge } : {}),
  });
  if (captured.kind === 'missing_workspace') return refuse('workspace_lost', 'The workspace is gone.');
  const unresolved = captured.resolvedMerge?.unresolved ?? [];
  if (unresolved.length > 0) {
    return refuse('unresolved_conflict', `Conflict markers are left in ${unresolved.join(', ')}.`);
  }
  const paths = captured.paths.map((change) => change.path);
  const result = { base: workplace.base, commit: captured.commit, paths };
  const told = await secretsInResult(workplace.repo, result, namedSecretsIn(world.env));
  if (told.length > 0) {
    const next = 'That is a secret of the environment of Work Center: take it out, for results are published.';
    return refuse('secret_in_result', `${told.join('; ')}. ${next}`);
  }
  return { kind: 'captured', commit: captured.commit, paths, notes: notesOf(captured) };
}

const HISTORY: Readonly<Record<Exclude<Captured['history']['kind'], 'kept'>, string>> = {
  diverged: 'they do not descend from the commit it was given',
  oversized: 'one of them holds a file over the size limit',
  unpublishable: 'their messages or authors hold a secret',
  unreadable: 'they could not be read',
};

const NAMED_MAX = 20;

function notesOf({ history, omitted, resolvedMerge }: Captured): readonly Evidence[] {
  const notes = omitted.slice(0, NAMED_MAX).map(({ path, reason }) => `Left out of the result: ${path} (${reason}).`);
  if (omitted.length > NAMED_MAX) notes.push(`Left out of the result: ${omitted.length - NAMED_MAX} more path(s).`);
  if (history.kind !== 'kept') notes.push(`Its own commits were made one: ${HISTORY[history.kind]}.`);
  if (resolvedMerge?.sameAsOurs) notes.push('The resolution is exactly the side of the item branch.');
  return notes.map((label) => ({ kind: 'text', label: label.slice(0, OUTCOME_LIMITS.evidenceChars), status: 'error' }));
}

/** A completed outcome with the engine's notes before the executor's own evidence. */
export function noted(outcome: Extract<Outcome, { kind: 'completed' }>, notes: readonly Evidence[]): Outcome {
  return { ...outcome, evidence: [...notes, ...outcome.evidence].slice(0, OUTCOME_LIMITS.evidenceMax) };
}
