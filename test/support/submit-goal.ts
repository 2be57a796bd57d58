import { randomBytes } from 'node:crypto';
import type { Contract, Criterion, ItemState, Limits } from '../../src/core/index.ts';
import { DEFAULT_LIMITS } from '../../src/core/index.ts';
import { submitItem, type World } from '../../src/engine/index.ts';
import { stateOf } from './submit-plan.ts';

export interface Goal {
  readonly goal: string;
  readonly criteria?: readonly (Pick<Criterion, 'id' | 'text'> & Partial<Criterion>)[];
  readonly contract?: Partial<Contract>;
  readonly limits?: Partial<Limits>;
  readonly start?: boolean;
}

/** A criterion that the engine's own run of `run` decides. */
export const checkedBy = (id: string, run: string, more: Partial<Criterion> = {}) => ({
  id,
  text: `${id}: ${run} succeeds`,
  minProof: 'machine' as const,
  check: { run, timeoutSec: 60, expectExit: 0, protect: [], network: 'loopback' as const },
  ...more,
});

/** Submits a goal for a Coordinator, as a person would; a refusal throws its own sentence. */
export async function submitGoal(world: World, directory: string, wish: Goal): Promise<ItemState> {
  const { goal, criteria = [{ id: 'c1', text: goal }], start = true } = wish;
  const submitted = await submitItem(
    { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
    {
      directory,
      dirty: 'refuse',
      inPlace: wish.contract?.workspace === 'in-place',
      start,
      principal: { kind: 'user', name: 'test' },
      compile: (ground) => ({
        contract: {
          title: goal.slice(0, 80),
          goal,
          criteria: criteria.map((criterion) => ({ version: 1, minProof: 'self', ...criterion })),
          delivery: { target: 'workspace_files' },
          directory: ground.directory,
          workspace: ground.workspace,
          ...wish.contract,
        },
        plan: { kind: 'coordinated' },
        limits: { ...DEFAULT_LIMITS, ...wish.limits },
        actions: [],
        titlePending: true,
      }),
    },
  );
  return stateOf(submitted);
}
