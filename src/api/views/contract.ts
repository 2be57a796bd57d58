import type { Check, Criterion, ItemState } from '../../core/index.ts';

const checkView = ({ env, protect, ...check }: Check) => ({
  ...check,
  ...(env === undefined ? {} : { env: { ...env } }),
  protect: [...protect],
});

const criterionView = ({ id, text, minProof, check }: Criterion) => ({
  ...{ id, text, minProof },
  ...(check === undefined ? {} : { check: checkView(check) }),
});

/** The contract in the words in which its parts are sent back; directory and workspace stay as they are. */
export function contractView({ contract, contractVersion }: ItemState) {
  const { title, goal, instructions, criteria, setup, delivery, directory, workspace } = contract;
  return {
    ...{ version: contractVersion, title, goal, directory, workspace },
    instructions: instructions ?? null,
    criteria: criteria.map(criterionView),
    setup: setup ? { ...setup, inputs: [...setup.inputs] } : null,
    delivery: { ...delivery },
  };
}
