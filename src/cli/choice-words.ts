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
  response: 'deliver the answer in words only',
  confirm: 'make this the contract',
  reject: 'leave the contract as it is',
  approve: 'allow this call, once',
  approve_pattern: 'allow every call like it, for this Action',
  deny: 'refuse it; the Action is told',
  ask_again: 'send the request again; it may cost twice',
};

/** What each offered answer does, in a few words: `retry: once more · stop: …`. */
export const choiceWords = ({ subject, choices }: Pick<HumanRequest, 'subject' | 'choices'>): string =>
  choices
    .flatMap((choice) => {
      const meaning = (subject.kind === 'replan' ? REPLAN[choice] : undefined) ?? MEANING[choice];
      return meaning === '' ? [] : [`${choice}: ${meaning}`];
    })
    .join(' · ');

/** A choice as people may type it: `approve-pattern` is `approve_pattern`. */
export const asChoice = (word: string): string => word.toLowerCase().replaceAll('-', '_');
