import { goalOf, sentenceOf } from '../../core/index.ts';
import type { Paint } from '../render/paint.ts';
import type { Carried } from './carry-demo.ts';
import type { DemoPlaces } from './demo-places.ts';

/** A path as a shell reads it back. */
const shellQuote = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** What is about to happen, and what is not real about it. */
export const opening = (places: DemoPlaces, paint: Paint): string =>
  [
    paint.bold('Two bugs, two agents at once, one of them lies.'),
    '',
    `A JavaScript project with a test suite was made in ${places.repository}.`,
    'Two of its tests fail. The plan has an Action for each bug, and three criteria that only a check can prove.',
    `${paint.amber('Canned:')} the two fixes. A small script stands in for each agent, and the second one claims success falsely.`,
    `${paint.green('Real:')} git, the processes and their sandbox, the set-up, the refusal, the merge and every proof.`,
    '',
  ].join('\n');

function sandboxWords({ enforcement }: Carried): string {
  if (enforcement.sandbox === 'none')
    return `No sandbox was enforced on this machine: ${enforcement.reason ?? 'none was found'}`;
  return `Every command ran inside ${enforcement.sandbox}.`;
}

/** How it ended, and how anyone can check that without us. */
export function closing(carried: Carried, places: DemoPlaces, paint: Paint): string {
  const { state } = carried;
  const commit = state.finalResult?.commit;
  const repository = shellQuote(places.repository);
  const proofs = goalOf(state).criteria.map(({ criterion, standing, proof }) => {
    const proven = standing === 'passed';
    return `  ${proven ? paint.green('■') : paint.red('·')} ${criterion.id}  ${criterion.text}  ${proven ? (proof ?? '') : standing}`;
  });
  const check =
    commit === undefined
      ? []
      : ['Check it yourself:', `  cd ${repository} && git checkout -q ${commit} && npm ci && npm test`];
  return [
    '',
    paint.bold(sentenceOf(state)),
    ...proofs,
    '',
    sandboxWords(carried),
    'Look closer, at the receipts and at what the liar said:',
    `  WORKCENTER_HOME=${shellQuote(places.home)} workcenter show ${state.id}`,
    ...check,
  ].join('\n');
}
