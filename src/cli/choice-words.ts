import type { Choice, HumanRequest } from '../core/model/request.ts';

const REPLAN: Partial<Record<Choice, string>> = { close: 'go on without them' };

const MEANING: Readonly<Record<Choice, string>> = {
  retry: 'once more',
  close: 'go on without it',
  stop: 'cancel the item, keep its work',
  text: '',
  verify: 'run the checks again',
  applied: 'it happened',
  not_applied: 'it did not happen',
  retain: 'run them again',
  branch_only: 'leave it on its own branch',
};

/** What each offered answer does, in a few words: `retry: once more · stop: …`. */
export const choiceWords = ({ subject, choices }: HumanRequest): string =>
  choices
    .flatMap((choice) => {
      const meaning = (subject.kind === 'replan' ? REPLAN[choice] : undefined) ?? MEANING[choice];
      return meaning === '' ? [] : [`${choice}: ${meaning}`];
    })
    .join(' · ');
