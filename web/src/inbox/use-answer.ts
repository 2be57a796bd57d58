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

/** Answers a request, once, however often it is sent. `onAnswered` hears what was answered when the server has it. */
export function useAnswer(itemId: string, request: Request, onAnswered: (answer: Answered) => void = () => undefined) {
  return useMutation({
    mutationFn: ({ choice, text = '' }: Answered) =>
      asked(
        client.post('/api/v1/work-items/{id}/requests/{requestId}/resolution', {
          params: { path: { id: itemId, requestId: request.id } },
          body: { choice, text, clientMessageId: `page-${request.id}` },
        }),
      ),
    onSuccess: (_item, answer) => {
      keepDraft(draftKey(itemId, request.id), '');
      onAnswered(answer);
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['item', itemId] }),
        queryClient.invalidateQueries({ queryKey: ['requests'] }),
      ]),
  });
}
