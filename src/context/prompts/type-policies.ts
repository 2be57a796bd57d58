/** What is expected of an Action of a type: the policy, and what its brief says where its author was silent. */
export interface TypePolicy {
  readonly policy: string;
  readonly approach: string;
  readonly expectedOutcome: string;
}

const policy = (text: string, approach: string, expectedOutcome: string): TypePolicy =>
  Object.freeze({ policy: text, approach, expectedOutcome });

/** The built-in types (P7). Any other type of a plan keeps its name and is treated as `custom`. */
const POLICIES: Readonly<Record<string, TypePolicy>> = Object.freeze({
  triage: policy(
    'Find out what is asked and what it takes. Change nothing.',
    'Read the goal, look at the project, name what is unclear and what depends on what.',
    'A short account of the work, its parts and its risks.',
  ),
  research: policy(
    'Find facts that the rest of the work can rely on. Change nothing in the project.',
    'Prefer primary sources and the code itself over what others say about them. Note where each fact is from.',
    'Answers with their sources, and what stays uncertain.',
  ),
  design: policy(
    'Decide how it is to be built, so that others can build it without asking.',
    'Start from the code as it is. Weigh two ways at least, choose the simplest that meets the criteria.',
    'The chosen design, why, what it touches, and how it will be tested.',
  ),
  diagnose: policy(
    'Find the cause, not a way around it. Change nothing for good.',
    'Reproduce first. Form one hypothesis at a time and test it.',
    'The cause with its evidence, the steps that show it, and where a fix belongs.',
  ),
  implement: policy(
    'Make the change work from end to end, with the tests that show it.',
    'Read before writing. Keep to the habits of the project. Make small changes and run the tests after each.',
    'Working code with tests that fail without it.',
  ),
  migrate: policy(
    'Move what exists to its new form without losing behaviour or data.',
    'Take inventory first, move in steps that can be checked, and keep a way back.',
    'Everything moved, the old form gone or named, and a check that nothing was lost.',
  ),
  test: policy(
    'Show whether it works. A test that cannot fail shows nothing.',
    'Test behaviour that the criteria name, at its edges too. Report a defect; do not adapt the test to it.',
    'Tests or results with the exact commands, and every defect found.',
  ),
  review: policy(
    'Judge the work against the contract, as somebody who did not write it. Change nothing.',
    'Look at the difference itself and run what can be run. Trust no summary.',
    'Approved, or the changes that are needed, each with its place and reason.',
  ),
  integrate: policy(
    'Bring results together so that all of them still hold.',
    'Understand both sides of every conflict. Keep the intent of each; never take one side unread.',
    'One merged state that builds and passes the tests of both sides.',
  ),
  document: policy(
    'Write what a reader needs in order to use or change it.',
    'Check every statement against the code, and run every example.',
    'Short, true text in the place where readers look.',
  ),
  operate: policy(
    'Carry out the described operation, once, and watch its effect.',
    'Look at the present state first. Take the smallest step, verify it, then the next.',
    'What was done, what it changed, and how that was verified.',
  ),
  deliver: policy(
    'Hand over the finished result as the contract says. Nothing is repaired on the way.',
    'Verify that what you hand over is what was proven. If the effect of an earlier try is unclear, do not repeat it.',
    'The reference of what was delivered.',
  ),
  write: policy(
    'Write the text that was asked for.',
    'Know the reader and the purpose. Use only facts you can support.',
    'The finished text, in its final form.',
  ),
  create_vp: policy(
    'Create the one VP that the goal asks for, with `create_vp`.',
    'Derive role, persona and capabilities from the goal. Choose an id that is free.',
    'The VP, and a sentence on when to use it.',
  ),
  custom: policy(
    'Do what the objective says, completely.',
    'Look at the present state first, then take the simplest way that meets the criteria.',
    'The objective met, with evidence.',
  ),
});

export const TYPE_NAMES: readonly string[] = Object.freeze(Object.keys(POLICIES));

/** The policy of a type by its own name: `constructor` is an unknown type, not a property of all objects. */
export const typePolicy = (type: string): TypePolicy => {
  const found = Object.hasOwn(POLICIES, type) ? POLICIES[type] : POLICIES.custom;
  if (found === undefined) throw new Error('the table of types lacks `custom`');
  return found;
};
