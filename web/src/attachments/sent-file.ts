import { MESSAGE_LIMITS } from '../../../src/core/model/conversation.ts';

/** A file that the server has, to be named by its id until it expires. */
export interface SentFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The server's own bounds for the files of one item. */
export const FILE_LIMITS = Object.freeze({
  count: MESSAGE_LIMITS.attachments,
  eachBytes: MESSAGE_LIMITS.attachmentBytes,
  allBytes: MESSAGE_LIMITS.attachmentsTotalBytes,
});
