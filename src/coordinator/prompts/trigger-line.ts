import type { NowPart } from '../snapshot/picture.ts';

/** What a turn is about, in our own words; the facts are in the snapshot. */
export function triggerLine({ origin, messages, answers, ended }: NowPart): string {
  if (origin === 'user') {
    const said = [
      ...(messages.length > 0 ? ['wrote to you (`now.messages`)'] : []),
      ...(answers.length > 0 ? ['answered what was asked (`now.answers`)'] : []),
    ];
    return `The person ${said.join(' and ')}. Answer them in \`reply\`, and decide what follows from it.`;
  }
  const cause = ended.length > 0 ? 'Work has ended (`now.ended`)' : 'Nothing is under way';
  return `${cause}, and nobody wrote. Decide the next step, ask what only the person knows, or complete what is proven.`;
}
