import { randomBytes } from 'node:crypto';
import { type ItemState, reject } from '../../src/core/index.ts';
import { type Submitted, submitItem, type World } from '../../src/engine/index.ts';
import { compilePlan, type DirtyPolicy, workspaceOf } from '../../src/plan/compile/compile.ts';
import { formatProblems } from '../../src/plan/problems/format-problems.ts';
import { parsePlan } from '../../src/plan/read/parse.ts';

/** Submits a plan as a person would and answers what the engine said; a plan that is no plan throws. */
export async function offerPlan(
  world: World,
  text: string,
  { directory, dirty }: { readonly directory: string; readonly dirty?: DirtyPolicy | undefined },
): Promise<Submitted> {
  const parsed = parsePlan(text, 'plan.yaml');
  if (!parsed.ok) throw new Error(parsed.problems.map((p) => `${p.line}:${p.column} ${p.message}`).join('\n'));
  const asked = workspaceOf(parsed.plan, 'isolated');
  return submitItem(
    { ...world, newItemId: () => `w${randomBytes(4).toString('hex')}` },
    {
      directory,
      dirty: dirty ?? asked.dirty,
      inPlace: asked.policy === 'in-place',
      start: true,
      principal: { kind: 'user', name: 'test' },
      compile: (ground) => {
        const compiled = compilePlan(parsed.plan, {
          directory: ground.directory,
          base: ground.base,
          workspaceDefault: ground.workspace,
          ...(ground.defaultBranch === undefined ? {} : { defaultBranch: ground.defaultBranch }),
        });
        if (compiled.ok) return compiled;
        return reject('invalid_plan', formatProblems(compiled.problems, { fileName: 'plan.yaml', text }));
      },
    },
  );
}

/** The state of what was submitted; a refusal throws its own sentence. */
export function stateOf(submitted: Submitted): ItemState {
  if ('code' in submitted) throw new Error(`${submitted.code}: ${submitted.message} ${submitted.found ?? ''}`);
  return submitted.state;
}

/** Submits a plan where a refusal would be a defect. */
export const submitPlan = async (world: World, text: string, directory: string): Promise<ItemState> =>
  stateOf(await offerPlan(world, text, { directory }));
