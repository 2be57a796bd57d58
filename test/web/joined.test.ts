import { expect, it } from 'vitest';
import type { MessageDraft } from '../../web/src/item/conversation/draft.ts';
import { joined } from '../../web/src/item/conversation/joined.ts';

const aim = { actionId: 'aim', generation: 1, name: 'Take aim' };
const hit = { actionId: 'hit', generation: 2, name: 'Hit it' };
const mine = { from: 'person', text: 'Mine.' } as const;
const theirs = { from: 'coordinator', text: 'Theirs.' } as const;
const blank: MessageDraft = { text: '', files: [], quote: null, target: null };
const taken = { text: 'Aim lower.', files: [], quote: theirs, target: aim };

it('words that are taken back never change to whom, or about what, something else is being written', () => {
  const text = 'Dear you\n\nAim lower.';
  expect({ ...blank, ...joined(blank, taken) }).toEqual(taken);
  expect(joined({ ...blank, target: hit }, taken)).toMatchObject({ target: aim, quote: theirs });
  const toCoordinator = { ...blank, text: 'Dear you', quote: mine };
  expect({ ...toCoordinator, ...joined(toCoordinator, taken) }).toEqual({ ...toCoordinator, text });
  const toAction = { ...blank, text: 'Dear you ', target: hit };
  expect({ ...toAction, ...joined(toAction, { ...taken, target: null }) }).toEqual({
    ...{ text, files: [], quote: theirs, target: hit },
  });
  expect({ ...toAction, ...joined({ ...toAction, text: '' }, { text: 'Anew.' }) }).toMatchObject({
    ...{ text: 'Anew.', target: hit, quote: null },
  });
});
