import type { LiveDiff, LiveFile, LiveFiles } from '../../../../src/client/index.ts';
import { asked, client } from '../../api/client.ts';
import type { Look } from '../live/use-live-look.ts';
import type { DiffAsked } from './queries.ts';

/** What is read again and again stays small: other files are a click away. */
const MOST_BYTES = 40_000;

interface Place {
  readonly itemId: string;
  readonly actionId: string;
}

// These keys are not below that of the item: its events would have them read more often than they may be.

export const liveDiffLook = (
  { itemId: id, actionId }: Place,
  { ignoreWhitespace, path }: DiffAsked,
): Look<LiveDiff> => ({
  queryKey: ['live', id, actionId, 'diff', { ignoreWhitespace, path }],
  queryFn: ({ signal }) => {
    const whitespace = ignoreWhitespace ? ('ignore' as const) : ('show' as const);
    const query = { whitespace, maxBytes: MOST_BYTES, ...(path === undefined ? {} : { path }) };
    const params = { path: { id, actionId }, query };
    return asked(client.get('/api/v1/work-items/{id}/actions/{actionId}/workspace/diff', { signal, params }));
  },
});

export const liveFilesLook = ({ itemId: id, actionId }: Place): Look<LiveFiles> => ({
  queryKey: ['live', id, actionId, 'files'],
  queryFn: ({ signal }) => {
    const params = { path: { id, actionId } };
    return asked(client.get('/api/v1/work-items/{id}/actions/{actionId}/workspace/files', { signal, params }));
  },
});

export const liveFileLook = ({ itemId: id, actionId }: Place, path: string): Look<LiveFile> => ({
  queryKey: ['live', id, actionId, 'file', path],
  queryFn: ({ signal }) => {
    const params = { path: { id, actionId }, query: { path } };
    return asked(client.get('/api/v1/work-items/{id}/actions/{actionId}/workspace/file', { signal, params }));
  },
});
