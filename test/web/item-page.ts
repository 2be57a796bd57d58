import type { Locator, Page } from 'playwright-core';

/** The page of one item, by what people see and hear of it. */
export interface ItemPage {
  readonly conversation: Locator;
  readonly composer: Locator;
  readonly banner: Locator;
  /** A request that waits, by its question, where it is answered. */
  request(question: string | RegExp): Locator;
  /** Writes a message and sends it. */
  say(text: string): Promise<void>;
  /** Opens one of the contents of the pane. */
  content(name: 'Proof' | 'Actions' | 'Diff' | 'Contract' | 'Events'): Promise<void>;
}

export function itemPage(page: Page): ItemPage {
  const conversation = page.getByRole('region', { name: 'Conversation' });
  const composer = conversation.getByRole('textbox', { name: 'Message' });
  return {
    conversation,
    composer,
    banner: page.getByRole('status').filter({ hasText: /server|offline/ }),
    request: (question) => conversation.getByRole('article').filter({ hasText: question }),
    async say(text) {
      await composer.fill(text);
      await conversation.getByRole('button', { name: 'Send', exact: true }).click();
    },
    content: (name) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click(),
  };
}
