import { useMutation } from '@tanstack/react-query';
import type { Request } from '../../../src/client/index.ts';
import { asked, client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { keepDraft } from '../item/conversation/drafts.ts';

export interface Answered {
  readonly choice: string;
  readonly text?: string;
}

/** Where words that are being written for an answer are kept until they are sent. */
export const draftKey = (itemId: string, requestId: string): string => `${itemId}.${requestId}`;

/**
 * Another answer under the same id would be taken for the first one sent again: a second tab would be told that its
 * words had arrived.
 */
function markOf(text: string): string {
  let mark = 0;
  for (const char of text) mark = (Math.imul(mark, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return `${text.length}-${(mark >>> 0).toString(36)}`;
}

/** Answers a request, once, however often it is sent. `onAnswered` hears what was answered when the server has it. */
export function useAnswer(itemId: string, request: Request, onAnswered: (answer: Answered) => void = () => undefined) {
  return useMutation({
    mutationFn: ({ choice, text = '' }: Answered) =>
      asked(
        client.post('/api/v1/work-items/{id}/requests/{requestId}/resolution', {
          params: { path: { id: itemId, requestId: request.id } },
          body: { choice, text, clientMessageId: `page-${request.id}-${choice.slice(0, 40)}-${markOf(text)}` },
        }),
      ),
    onSuccess: (_item, answer) => {
      keepDraft(draftKey(itemId, request.id), '');
      onAnswered(answer);
    },
    onSettled: (_item, error) => {
      const read = Promise.all([
        queryClient.invalidateQueries({ queryKey: ['item', itemId] }),
        queryClient.invalidateQueries({ queryKey: ['requests'] }),
      ]);
      // A refusal is told at once; what was answered keeps its buttons shut until it has gone.
      return error ? undefined : read;
    },
  });
}
