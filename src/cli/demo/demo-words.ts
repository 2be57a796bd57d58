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
    paint.bold('Two bugs, two agents at once, and one of them lies.'),
    '',
    'A small JavaScript project with a dependency and a test suite was made in',
    `  ${places.repository}`,
    'Two of its tests fail. The plan has an Action for each bug, and three criteria',
    'that only a check can prove.',
    '',
    `${paint.amber('Canned')}  the two fixes: a script stands in for each agent, and the second`,
    '        one claims success falsely at first',
    `${paint.green('Real')}    git, processes and their sandbox, the set-up, the refusal, the merge,`,
    '        every proof',
    '',
  ].join('\n');

function sandboxWords({ enforcement }: Carried): string {
  if (enforcement.sandbox === 'none')
    return `No sandbox was enforced on this machine: ${enforcement.reason ?? 'none was found'}`;
  return `Every command ran inside ${enforcement.sandbox}.`;
}

function proofLines({ state }: Carried, paint: Paint): readonly string[] {
  return goalOf(state).criteria.map(({ criterion, standing, proof }) => {
    const proven = standing === 'passed';
    const mark = proven ? paint.green('■') : paint.red('·');
    return `  ${mark} ${criterion.id}  ${criterion.text}  ${proven ? (proof ?? '') : standing}`;
  });
}

/** What can be done next with what the demo left. The commit to check comes last. */
function nextLines({ state }: Carried, places: DemoPlaces): readonly string[] {
  const data = `WORKCENTER_HOME=${shellQuote(places.home)}`;
  const look = ['Look closer, at the receipts and at what the liar said:', `  ${data} workcenter show ${state.id}`];
  if (state.lifecycle !== 'done')
    return [...look, 'Carry on where it stopped:', `  ${data} workcenter up --until-idle`];
  const { commit = state.branch.head } = state.finalResult ?? {};
  const checkOut = `cd ${shellQuote(places.repository)} && git checkout -q ${commit}`;
  return [...look, 'Check it yourself:', `  ${checkOut} && npm ci && npm test`];
}

/** How it ended, and how anyone can check that without us; `kept` is false when all of it is being removed. */
export function closing(carried: Carried, places: DemoPlaces, options: { paint: Paint; kept: boolean }): string {
  const { paint, kept } = options;
  const next = kept ? nextLines(carried, places) : ['Everything the demo made has been removed.'];
  const proofs = proofLines(carried, paint);
  return ['', paint.bold(sentenceOf(carried.state)), ...proofs, '', sandboxWords(carried), ...next].join('\n');
}
