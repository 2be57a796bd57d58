import { rm } from 'node:fs/promises';
import type { Base, CommandBody, ItemState, Principal, Rejection } from '../../core/index.ts';
import type { Store } from '../../store/store.ts';
import { pin, unpin } from '../../workspace/engine-repository/engine-repository.ts';
import { knownGround } from './known-ground.ts';
import type { SubmitRefusal } from './refusal.ts';
import { type Ground, type SurveyRequest, type SurveyWorld, surveyDirectory } from './survey.ts';

export type Payload = Omit<Extract<CommandBody, { type: 'CreateItem' }>, 'type' | 'base' | 'start'>;

export interface Submission extends SurveyRequest {
  readonly start: boolean;
  readonly principal: Principal;
  readonly idempotencyKey?: string;
  /** Turns the plan into contract and Actions once the ground is known; a rejection carries every problem. */
  readonly compile: (ground: Ground) => Payload | Rejection;
}

export interface SubmitWorld extends SurveyWorld {
  readonly store: Store;
  readonly newItemId: () => string;
}

export type Submitted =
  | { readonly type: 'submitted'; readonly state: ItemState; readonly replayed: boolean }
  | SubmitRefusal;

const isGround = (value: Ground | SubmitRefusal): value is Ground => 'base' in value;

/** Keeps the base alive in the user's repository from before the item exists until it is reclaimed (D31). */
async function protect(base: Base, itemId: string): Promise<void> {
  if (base.kind === 'git') await pin({ commonDir: base.gitDir, itemId, commit: base.commit });
}

async function unprotect(world: SubmitWorld, base: Base, itemId: string): Promise<void> {
  if (base.kind === 'git') await unpin({ commonDir: base.gitDir, itemId });
  await rm(world.home.plainBase(itemId), { recursive: true, force: true });
}

interface Ready {
  readonly itemId: string;
  readonly payload: Payload;
  readonly base: Base;
}

async function send(
  { store }: SubmitWorld,
  submission: Submission,
  { itemId, payload, base }: Ready,
): Promise<Submitted> {
  const { principal, start, idempotencyKey } = submission;
  const result = await store.execute({
    ...{ itemId, principal, body: { type: 'CreateItem', ...payload, base, start } },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  return 'code' in result ? result : { type: 'submitted', state: result.state, replayed: result.replayed };
}

/**
 * Creates an item from a plan: surveys the directory, pins the base, then submits. A refusal, and a submission that
 * was made before under the same key, leave nothing behind.
 */
export async function submitItem(world: SubmitWorld, submission: Submission): Promise<Submitted> {
  const itemId = world.newItemId();
  const before = await knownGround(world.store, submission);
  if (before) {
    const again = submission.compile(before);
    return 'code' in again ? again : send(world, submission, { itemId, payload: again, base: before.base });
  }
  const found = await surveyDirectory(world, submission, itemId);
  if (!isGround(found)) return found;
  const payload = submission.compile(found);
  if ('code' in payload) {
    await unprotect(world, found.base, itemId);
    return payload;
  }
  await protect(found.base, itemId);
  const submitted = await send(world, submission, { itemId, payload, base: found.base });
  const created = 'code' in submitted ? undefined : submitted.state;
  if (created?.id !== itemId) await unprotect(world, found.base, itemId);
  return submitted;
}
