import { ProblemError, type WorkCenterClient } from '../../client/index.ts';
import type { Attachment } from '../../core/model/conversation.ts';
import type { Store } from '../../store/store.ts';

/**
 * Sends files, whose bytes are content of this store, to a server elsewhere; their ids there, which a goal, a message or
 * an answer may name within a day. Throws `ProblemError`.
 */
export async function upload(
  client: WorkCenterClient,
  store: Pick<Store, 'getContent'>,
  attachments: readonly Attachment[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { name, hash, mediaType } of attachments) {
    const body = (await store.getContent(hash)) ?? new Uint8Array();
    const params = { query: { name, sha256: hash } };
    const sent = await client.post('/api/v1/attachments', { params, body, headers: { 'content-type': mediaType } });
    if (sent.problem) throw new ProblemError(sent.problem);
    ids.push(sent.data.id);
  }
  return ids;
}
