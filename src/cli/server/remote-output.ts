import type { RunRow } from '../../store/rows.ts';
import { type OutputPart, wholeCharacters } from '../output-part.ts';
import type { Server } from './server.ts';

const PATH = '/api/v1/work-items/{id}/actions/{actionId}/runs/{runId}/output';
/** Nothing is there behind the place that was asked for. */
const AT_THE_END = 416;

/** A piece of what a Run printed, from a server elsewhere; undefined when the server has none, or has no more. */
export async function remoteOutput(
  { client }: Server,
  { itemId: id, actionId, runId }: Pick<RunRow, 'itemId' | 'actionId' | 'runId'>,
  from: number,
  most: number,
): Promise<OutputPart | undefined> {
  const headers = { range: `bytes=${from}-${from + most - 1}` };
  const { data, problem } = await client.get(PATH, { headers, params: { path: { id, actionId, runId } } });
  if (problem) return problem.status === AT_THE_END ? { text: '', next: from } : undefined;
  const bytes = new Uint8Array(data);
  const length = wholeCharacters(bytes, bytes.length);
  return { text: new TextDecoder().decode(bytes.subarray(0, length)), next: from + length };
}
