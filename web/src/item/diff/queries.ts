import { queryOptions } from '@tanstack/react-query';
import { asked, client } from '../../api/client.ts';
import type { DiffSource } from './source.ts';

export interface DiffAsked {
  readonly ignoreWhitespace: boolean;
  /** Only this file. */
  readonly path?: string;
}

/** Read again when the item moves; the server then answers "the same" by the ETag unless a commit came. */
export const diffQuery = ({ itemId: id, actionId, runId }: DiffSource, { ignoreWhitespace, path }: DiffAsked) =>
  queryOptions({
    queryKey: ['item', id, 'diff', { actionId, runId, ignoreWhitespace, path }],
    queryFn: ({ signal }) => {
      const query = {
        whitespace: ignoreWhitespace ? ('ignore' as const) : ('show' as const),
        ...(path === undefined ? {} : { path }),
      };
      if (actionId === undefined) {
        return asked(client.get('/api/v1/work-items/{id}/diff', { signal, params: { path: { id }, query } }));
      }
      if (runId === undefined) {
        const params = { path: { id, actionId }, query };
        return asked(client.get('/api/v1/work-items/{id}/actions/{actionId}/diff', { signal, params }));
      }
      const params = { path: { id, actionId, runId }, query };
      return asked(client.get('/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}/diff', { signal, params }));
    },
  });

export const changedFileQuery = ({ itemId: id, actionId, runId }: DiffSource, path: string, side: 'before' | 'after') =>
  queryOptions({
    queryKey: ['item', id, 'changed-file', { actionId, runId, path, side }],
    queryFn: ({ signal }) => {
      const of = { ...(actionId === undefined ? {} : { actionId }), ...(runId === undefined ? {} : { runId }) };
      const params = { path: { id }, query: { path, side, ...of } };
      return asked(client.get('/api/v1/work-items/{id}/changed-file', { signal, params }));
    },
  });
