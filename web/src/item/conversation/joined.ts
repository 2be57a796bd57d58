import type { MessageDraft } from './draft.ts';

/**
 * What is being written, with words of before after it. It stays with whom and what it is about; only where nothing is
 * being written do those of the words of before come along.
 */
export function joined(now: MessageDraft, { text = '', files = [], ...rest }: Partial<MessageDraft>) {
  const isWriting = now.text.trim() !== '' || now.files.length > 0 || now.quote !== null;
  return {
    ...(isWriting ? { quote: now.quote ?? rest.quote ?? null } : rest),
    text: [now.text.trimEnd(), text].filter(Boolean).join('\n\n'),
    files: [...now.files, ...files],
  };
}
