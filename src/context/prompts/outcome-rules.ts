/** How a Run ends (D22). Ours, and the same for every Action; what differs by type comes after it. */
const HOW_TO_END = `## How to end

End with the tool \`submit_outcome\`. Falling silent, or writing that you are done, does not end the Action.

- \`completed\`: the Action is done. A short summary for people, at least one piece of evidence, your verdict on each criterion this Action is for, by its id, and what you made (files, links, pull requests, commits).
- \`waiting\`: you need a person's answer. One precise question; your work is kept, and you go on with the answer. \`ask_human\` is a shorter way to the same.
- \`retryable\`: something passing stopped you (network, a busy service). Not for work that is merely unfinished.
- \`failed\`: it cannot be done as asked. Say what you tried and what stands in the way.

Claim \`passed\` only for what you saw yourself in this Run, and say how it shows. A claim that the engine's check refutes is refused. Write summaries in the language of the goal.`;

const REVIEW =
  'A review also says `approved` or `changes_requested`; with the latter, list what has to change and why.';
const RESPONSE =
  'The delivery is a written answer: put the whole answer into the summary, and make no file or pull request for it.';

/** The outcome rules of one Action. */
export function outcomeRules(action: { readonly type: string; readonly target: string }): string {
  const extra = [action.type === 'review' ? REVIEW : '', action.target === 'response' ? RESPONSE : ''];
  return [HOW_TO_END, ...extra].filter((text) => text !== '').join('\n\n');
}
